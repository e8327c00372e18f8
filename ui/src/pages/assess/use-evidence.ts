// The evidence that is selected, and the keys that go through it.

import { useRef, useState } from "react";
import { useShortcut } from "@/kit/shortcuts";
import type { Cell } from "./use-cell";

/** The evidence of a cell with the piece that is selected; `back` gives the focus to the cell again. */
export function useEvidence({ view, proposal }: Cell, back: () => void) {
  const list = useRef<HTMLUListElement>(null);
  const passages = proposal?.evidence ?? [];
  const of = view ? `${view.requirement}\n${view.report_id}` : "";
  const [chosen, setChosen] = useState({ of: "", at: 0 });
  const at = chosen.of === of && chosen.at < passages.length ? chosen.at : 0;
  const focus = () =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>("[data-evidence][aria-current]")?.focus(),
    );
  const within = () => list.current?.contains(document.activeElement) ?? false;
  const choose = (next: number) => {
    if (next < 0 || next >= passages.length) return;
    setChosen({ of, at: next });
    if (within()) focus();
  };
  useShortcut("assess.next-evidence", () => choose(at + 1));
  useShortcut("assess.previous-evidence", () => choose(at - 1));
  useShortcut("assess.evidence", () => (within() ? back() : focus()));
  return { list, passages, at, choose, back };
}

export type Evidence = ReturnType<typeof useEvidence>;
