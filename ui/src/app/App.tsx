import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { resolver, styleNonce, theme } from "@/kit/theme";
import type { Page } from "@/state/page";
import { usePreferences, useScheme } from "@/state/preferences";
import { t } from "@/text";
import { Boundary } from "./boundary";
import { Shell } from "./Shell";

/** Everything below the document: theme, cache, window. */
export function App({ queries, pages }: { queries: QueryClient; pages: readonly Page[] }) {
  const scheme = useScheme();
  // Numbers and dates stand everywhere: what shows them is redrawn when they are written another way.
  const { format } = usePreferences();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      forceColorScheme={scheme}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <Boundary title={t("crash.window")}>
          <Shell key={format} pages={pages} />
        </Boundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}
