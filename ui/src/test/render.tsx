// What tests of components share.

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createQueries } from "@/api/queries";
import { TooltipLayer } from "@/kit/Tooltip";
import { theme } from "@/kit/theme";

/** Draws `children` with theme and cache. */
export function show(children: ReactNode) {
  return render(
    <MantineProvider theme={theme} forceColorScheme="light" env="test">
      <QueryClientProvider client={createQueries()}>
        {children}
        <TooltipLayer />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
