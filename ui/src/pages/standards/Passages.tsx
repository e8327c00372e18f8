import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { EngineError } from "@/api/client";
import type { Hit } from "@/api/types";
import { Button } from "@/kit/Button";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useShortcut } from "@/kit/shortcuts";
import { PassageCard, quoteOf } from "@/parts/PassageCard";
import { isPinned, pinned } from "@/parts/pin";
import { rankedSum } from "@/parts/score";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import type { EvidenceProps } from "./EvidenceScope";
import { type Found, MOST } from "./evidence";
import { useNearest } from "./nearest";
import { spokenId } from "./outline";
import css from "./passages.module.css";

/** The passages, walked with the arrows, and how more are found. */
export function Passages(
  props: EvidenceProps & {
    found: readonly Found[];
    item: string;
    list: React.RefObject<HTMLUListElement | null>;
  },
) {
  const { place, change, found, finds, page, item, list, report, reports, reviews } = props;
  const at = Math.max(
    0,
    found.findIndex(({ hit }) => hit.chunk_id === place.passage),
  );
  const selected = found[at];
  const scale = Math.max(...found.map(({ hit }) => rankedSum(hit)), Number.EPSILON);
  const pinning = usePinning(props);
  const near = useNearest(found, finds);
  const sources = useMemo(() => new Map(reports.map((each) => [each.id, each])), [reports]);
  useShortcut("standards.pin", () => selected && pinning.toggle(selected.hit), selected !== undefined);
  const moved = useRef(false);
  const go = (index: number) => {
    const next = found[Math.max(0, Math.min(found.length - 1, index))];
    if (!next) return;
    moved.current = true;
    change({ passage: next.hit.chunk_id });
  };
  useShortcut("standards.next-passage", () => go(at + 1));
  useShortcut("standards.previous-passage", () => go(at - 1));
  useEffect(() => {
    const card = list.current?.children[at];
    if (!moved.current || !card) return;
    moved.current = false;
    card.scrollIntoView({ block: "nearest" });
    if (list.current?.contains(document.activeElement))
      card.querySelector<HTMLElement>("[data-passage]")?.focus();
  }, [at, list]);
  const keys = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).hasAttribute("data-passage")) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const full = finds.cut && finds.top < MOST;
  return (
    <ScrollRegion fill ways="down">
      <ul ref={list} className={css.passages} aria-label={t("standards.evidence.title")} onKeyDown={keys}>
        {found.map(({ hit, by }, index) => (
          <PassageCard
            key={hit.chunk_id}
            hit={hit}
            mark={spokenId(page, by)}
            source={hit.report_id === null ? undefined : sources.get(hit.report_id)}
            near={near.get(hit.chunk_id)}
            selected={index === at}
            onSelect={() => change({ passage: hit.chunk_id })}
            scale={scale}
            pin={
              hit.report_id === null || !reviews.findings
                ? undefined
                : {
                    on: reviews.findings
                      .find(hit.report_id, page.id)
                      .passages.some((each) => isPinned(each, hit)),
                    busy: pinning.busy === hit.chunk_id,
                    note: hit.report_id === report?.id ? undefined : t("standards.evidence.pin_other"),
                    toggle: () => pinning.toggle(hit),
                  }
            }
          />
        ))}
      </ul>
      {(full || item !== "") && (
        <div className={`row gap-6 wrap ${css.more}`}>
          {full && (
            <Button size="small" onClick={finds.more}>
              {t("standards.evidence.more")}
            </Button>
          )}
          {item !== "" && (
            <Button size="small" onClick={() => props.open(item)}>
              {t("standards.evidence.open_item", { id: spokenId(page, item) })}
            </Button>
          )}
        </div>
      )}
    </ScrollRegion>
  );
}

/** Pins passages to the finding on the paragraph in the report that they come from. */
function usePinning({ page, reviews, report }: EvidenceProps) {
  const [busy, setBusy] = useState<string>();
  const latest = useRef(reviews.findings);
  latest.current = reviews.findings;
  const toggle = (hit: Hit) => {
    if (hit.report_id === null || busy !== undefined) return;
    const { report_id } = hit;
    const findings = latest.current;
    if (!findings) return;
    const finding = findings.find(report_id, page.id);
    const kept = finding.passages.filter((each) => !isPinned(each, hit));
    if (kept.length < finding.passages.length) return findings.save({ ...finding, passages: kept });
    setBusy(hit.chunk_id);
    pinned(hit, quoteOf(hit, true).text)
      .then(
        (passage) => {
          const now = (latest.current ?? findings).find(report_id, page.id);
          findings.save({ ...now, passages: [...now.passages, passage] });
          if (report_id !== report?.id)
            toast({ kind: "ok", title: t("standards.evidence.pinned_other", { report: hit.title }) });
        },
        (thrown) => reportError(EngineError.from(thrown)),
      )
      .finally(() => setBusy(undefined));
  };
  return { busy, toggle };
}
