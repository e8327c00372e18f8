import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { resolver, styleNonce, theme } from "@/kit/theme";
import { useScheme } from "@/state/preferences";

/** Draws `children` in the theme, in the scheme that the reader prefers. */
export function Themed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      forceColorScheme={useScheme()}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}
