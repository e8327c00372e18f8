// What tests of components share.

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import axe from "axe-core";
import type { ReactNode } from "react";
import { expect } from "vitest";
import { createQueries } from "@/api/queries";
import { TooltipLayer } from "@/kit/Tooltip";
import { theme } from "@/kit/theme";

/** Draws `children` with theme and cache. */
export function show(children: ReactNode, scheme: "light" | "dark" = "light") {
  return render(
    <MantineProvider theme={theme} forceColorScheme={scheme} env="test">
      <QueryClientProvider client={createQueries()}>
        {children}
        <TooltipLayer />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

/**
 * Fails where axe finds something serious. For what has no picture: `browser/shots.mjs` looks at each of its scenes with
 * axe, colours included, which need a real browser.
 */
export async function expectAccessible(root: Element = document.body) {
  const { violations } = await axe.run(root, {
    resultTypes: ["violations"],
    rules: { "color-contrast": { enabled: false } },
  });
  const grave = violations.filter((each) => each.impact === "serious" || each.impact === "critical");
  expect(grave.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" | ")}`)).toEqual([]);
}
