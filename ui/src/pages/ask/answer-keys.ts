// What keys do with the answer on screen and its sources.

import { useShortcut } from "@/kit/shortcuts";
import { copyText } from "@/state/copy";
import { navigate } from "@/state/router";
import { t } from "@/text";
import { withCitations } from "./copy";
import { copied, inFigures, standsOf } from "./figures";
import { openCitation, placeOf } from "./names";
import { citationsOf, isOfFigures, type Shown } from "./shown";

/** Alt+1 opens the figure, Alt+2 its source; Ctrl+Shift+C copies what is shown. */
export function useAnswerKeys(shown: Shown | undefined): void {
  const stands =
    shown && isOfFigures(shown)
      ? shown.readings.flatMap(({ figures, citations }) => (figures ? standsOf(figures, citations) : []))
      : [];
  const [stand] = stands;
  const [source] = shown ? citationsOf(shown) : [];
  useShortcut(
    "ask.figure",
    () => stand && navigate(inFigures(stand.figures, stand.citation)),
    stand !== undefined,
  );
  useShortcut(
    "ask.source",
    () => source && openCitation(source),
    source !== undefined && placeOf(source) !== undefined,
  );
  useShortcut(
    "ask.copy",
    () => {
      const text = stands.length > 0 ? stands.map(copied).join("\n") : shown && withCitations(shown);
      if (text !== undefined) void copyText(text, t("ask.copy.done"));
    },
    shown !== undefined,
  );
}
