import { IconPlus } from "@tabler/icons-react";
import { may } from "@/api/client";
import type { FigureTable } from "@/api/types";
import { Button } from "@/kit/Button";
import { showPane } from "@/kit/Panes";
import { tip } from "@/kit/Tooltip";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { whole } from "@/text/format";
import { visible } from "@/text/visible";
import { askedInstead, nearestIn } from "./figures";
import type { Shown } from "./shown";

type OffersProps = {
  shown: Shown;
  /** The row with the hole. */
  table: FigureTable;
  onAgain: (change: { question: string }) => void;
};

/** What can be done about a figure that is not given: the nearest one, its report, and what came nearest in words. */
export function Offers({ shown, table, onAgain }: OffersProps) {
  const nearest = nearestIn(table);
  const question = nearest && askedInstead(shown.searchedFor ?? shown.question, nearest);
  const passages = shown.fromSelection ? 0 : shown.passages.length;
  return (
    <>
      {nearest && question !== undefined && (
        <Button
          {...tip(t("ask.not_found.instead", { year: nearest.year }))}
          onClick={() => onAgain({ question })}
        >
          <bdi className="number">{`${nearest.year}: ${visible(nearest.printed)}`}</bdi>
        </Button>
      )}
      {may("ingest.start") && (
        <Button
          icon={<IconPlus className="small" aria-hidden />}
          onClick={() => navigate(href("library", [], { add: "files" }))}
        >
          {t("ask.not_found.add")}
        </Button>
      )}
      {passages > 0 && (
        <Button tone="quiet" onClick={() => showPane("sources")}>
          {t("ask.sources.nearest")} <span className="mut number">{whole(passages)}</span>
        </Button>
      )}
    </>
  );
}
