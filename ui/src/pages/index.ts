// The screens, in the order of the rail.
//
// A screen is a folder. `page.ts` has its title, icon, shortcuts and palette sources; it loads with the window, so
// keep it small. `index.tsx` is the screen itself, loaded when first shown. The other files are only for this
// screen. The folders beside this one, and what may import what: `ui/README.md`.
//
// - Calls: `useCommand("chunk.list", input)` and `useAction("review.put")` of `api/queries`. Tags do the refreshing.
//   Show answers with `<Loaded query={…}>`: skeleton, failure and retry come with it.
// - Answers for the plain browser and for tests: a line in `record/<screen>.jsonl`, then `npm run record`; what changes as it
//   is used: `api/fake/<screen>.ts` exports `handlers` by command name.
// - Words: `t("library.title")` from `text/en.json`, one block a screen. Numbers: `text/format`.
// - Errors: a failed `useAction` is told by itself, unless it is `inPlace`; other failures go to `reportError`, short
//   news to `toast`.
// - What a person would want back (query, filters, selection) lives in the address: `useQueryState`.
// - Layout: `Panes`, `Pane`, `PaneHead`; the classes of `kit/css` are those of the design, a file for each component. Own rules stand in a
//   CSS module beside the screen. Text sizes only by `var(--fs-…)`, sides only by logical properties.
// - Keys: declare in `page.ts`, bind with `useShortcut(id, action)`.

import { page as ask } from "./ask/page";
import { page as assess } from "./assess/page";
import { page as chunkLab } from "./chunk-lab/page";
import { page as evaluate } from "./evaluate/page";
import { page as figures } from "./figures/page";
import { page as library } from "./library/page";
import { page as searchLab } from "./search-lab/page";
import { page as settings } from "./settings/page";
import { page as standards } from "./standards/page";

/** Every screen. */
export const pages = [library, assess, standards, figures, ask, chunkLab, searchLab, evaluate, settings];
