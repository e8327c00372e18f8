import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { Page } from "@/state/page";
import { usePreferences } from "@/state/preferences";
import { t } from "@/text";
import { Boundary } from "./boundary";
import { Shell } from "./Shell";
import { Themed } from "./Themed";

/** Everything below the document: theme, cache, window. */
export function App({ queries, pages }: { queries: QueryClient; pages: readonly Page[] }) {
  // Numbers and dates stand everywhere: what shows them is redrawn when they are written another way.
  const { format } = usePreferences();
  return (
    <Themed>
      <QueryClientProvider client={queries}>
        <Boundary title={t("crash.window")}>
          <Shell key={format} pages={pages} />
        </Boundary>
      </QueryClientProvider>
    </Themed>
  );
}
