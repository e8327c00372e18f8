import { IconCalendarTime } from "@tabler/icons-react";
import { useState } from "react";
import { useCommand } from "@/api/queries";
import type { AdoptionCount, ContextEntry, Edition, StandardsContext } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog } from "@/kit/Dialog";
import { Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { EDITIONS } from "@/parts/edition";
import { t } from "@/text";
import css from "./orientation.module.css";
import { editionName } from "./Versions";

type OrientationProps = {
  /** The edition that was chosen; none where it is the one that is meant today. */
  edition: Edition | undefined;
  onEdition: (edition: Edition | undefined) => void;
};

/** The edition of IFRS S2 on screen, and where the standards stand. */
export function Orientation({ edition, onEdition }: OrientationProps) {
  const [open, setOpen] = useState(false);
  const known = useCommand("standards.orientation", {}).data;
  if (!known) return null;
  return (
    <>
      <SegmentedControl
        label={t("standards.edition")}
        size="small"
        value={edition ?? known.edition}
        onChange={(chosen) => onEdition(chosen === known.edition ? undefined : chosen)}
        options={EDITIONS.map((value) => ({ value, label: editionName(value) }))}
      />
      <Button icon={<IconCalendarTime className="small" aria-hidden />} onClick={() => setOpen(true)}>
        {t("standards.orientation.open")}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        label={t("standards.orientation.title")}
        width={720}
        closes
      >
        <Context context={known.context} />
      </Dialog>
    </>
  );
}

function Context({ context }: { context: StandardsContext }) {
  const parts = ["drafts", "jurisdictions", "material"] as const;
  return (
    <ScrollRegion className={css.context} label={t("standards.orientation.title")}>
      <h2>{t("standards.orientation.title")}</h2>
      <Note kind="warn">{context.notice}</Note>
      <p className="sec">
        {t("standards.orientation.as_of", { day: context.as_of, limits: context.limits })}
      </p>
      <h3>{t("standards.orientation.standards")}</h3>
      <ul className={css.entries}>
        {context.standards.map((one) => (
          <li key={`${one.standard} ${one.version}`}>
            <b>{t("standards.orientation.version", { standard: one.standard, version: one.version })}</b>{" "}
            {one.text}
            <Source date={one.issued} {...one} />
            <p className="xs mut">{t("standards.orientation.applies_from", { day: one.applies_from })}</p>
          </li>
        ))}
      </ul>
      <h3>{t("standards.orientation.counts")}</h3>
      <ul className={css.entries}>
        {context.counts.map((one) => (
          <Count key={`${one.count} ${one.date}`} one={one} />
        ))}
      </ul>
      {parts.map((part) => (
        <section key={part}>
          <h3>{t(`standards.orientation.${part}`)}</h3>
          <ul className={css.entries}>
            {context[part].map((entry) => (
              <Entry key={entry.subject} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </ScrollRegion>
  );
}

function Entry({ entry }: { entry: ContextEntry }) {
  return (
    <li>
      <b>{entry.subject}</b> {entry.text}
      {entry.not_settled !== null && (
        <p>{t("standards.orientation.not_settled", { what: entry.not_settled })}</p>
      )}
      <Source {...entry} />
    </li>
  );
}

function Count({ one }: { one: AdoptionCount }) {
  return (
    <li>
      <b>{one.count}</b> {one.definition}
      <Source {...one} />
    </li>
  );
}

type SourceProps = Pick<ContextEntry, "date" | "sources" | "confidence">;

/** Day, source and how sure it is. */
function Source({ date, sources, confidence }: SourceProps) {
  const sure = t(`standards.orientation.confidence.${confidence}`);
  return <p className="xs mut">{[date, sources.join("; "), sure].filter(Boolean).join(" · ")}</p>;
}
