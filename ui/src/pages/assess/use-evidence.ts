// The passage that is selected, and the keys that go through the evidence and pin.

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { may } from "@/api/client";
import type { CellView, PinnedPassage, Review } from "@/api/types";
import { useShortcut } from "@/kit/shortcuts";
import { isSame, type Quoted } from "./passages";
import type { Cell } from "./use-cell";

type Options = {
  cell: Cell;
  /** Gives the focus to the cell in use. */
  back: () => void;
  /** Keeps what is pinned; `review` is what stood before. Calls `onSent` once it is on its way. */
  onPin: (passages: PinnedPassage[], review: Review | null, onSent: () => void) => void;
  /** Called where there is no passage to pin. */
  onNone: () => void;
};

type Act = "enter" | "next" | "previous" | "pin";

/** What was selected in the cell `of`: a passage of the list by its place, or another one. */
type Chosen = { of: string; turn: number; at: number; beside?: Quoted };

/** The passages with `passage` pinned, or no longer where it was. */
function turned(pinned: readonly PinnedPassage[], passage: Quoted): PinnedPassage[] {
  const others = pinned.filter((each) => !isSame(each, passage));
  return others.length < pinned.length ? others : [...pinned, passage.pin];
}

/** What is pinned: as it was sent, until the engine has said what stands. */
function usePins({ view, now }: Cell, onPin: Options["onPin"]) {
  const [sent, setSent] = useState<{ view: CellView; passages: readonly PinnedPassage[] }>();
  // What was sent last: another pin may follow before this component is drawn again.
  const last = useRef<{ of: string; view: CellView; passages: readonly PinnedPassage[] }>(undefined);
  const pinned = view && sent?.view === view ? sent.passages : (view?.review?.passages ?? []);
  /** Changes what is pinned, beginning with what was sent last. */
  const change = (next: (pinned: readonly PinnedPassage[]) => PinnedPassage[]) => {
    if (!view) return;
    const before = last.current?.of === now && last.current.view === view ? last.current.passages : pinned;
    const passages = next(before);
    onPin(passages, view.review && { ...view.review, passages: [...before] }, () => {
      last.current = { of: now, view, passages };
      setSent({ view, passages });
    });
  };
  return { pinned, change };
}

/**
 * The evidence of a cell, or the nearest passages where nothing was found, with the passage that is selected. Keys
 * that are pressed before the cell is there take effect once it is; they are dropped when another cell is in use.
 */
export function useEvidence({ cell, back, onPin, onNone }: Options) {
  const { view, proposal, now } = cell;
  const list = useRef<HTMLUListElement>(null);
  const found = (proposal?.evidence.length ?? 0) > 0;
  const passages: readonly Quoted[] = (found ? proposal?.evidence : proposal?.nearest) ?? [];
  const { pinned, change } = usePins(cell, onPin);
  const [chosen, setChosen] = useState<Chosen>({ of: "", turn: 0, at: 0 });
  const own = chosen.of === now ? chosen : undefined;
  const first = found
    ? Math.max(
        0,
        passages.findIndex((each) => pinned.some((pin) => isSame(pin, each))),
      )
    : -1;
  const at = own?.beside ? -1 : own && own.at < passages.length ? own.at : first;
  const shown = own?.beside ?? passages[at];
  const within = () => list.current?.contains(document.activeElement) ?? false;
  const focus = () =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>("[data-evidence][aria-current]")?.focus(),
    );
  const take = (part: Pick<Chosen, "at" | "beside">) =>
    setChosen({ of: now, turn: chosen.turn + 1, ...part });

  const run = (acts: readonly Act[]) => {
    let place = at;
    let passage = shown;
    const pins: Quoted[] = [];
    let entered = false;
    const go = (next: number) => {
      if (!passages[next]) return;
      place = next;
      passage = passages[next];
    };
    for (const act of acts) {
      if (act === "next") go(place + 1);
      else if (act === "previous") go(place - 1);
      else if (act === "pin") {
        if (passage) pins.push(passage);
        else onNone();
      } else if (within()) return back();
      else {
        entered = true;
        if (place < 0) go(0);
      }
    }
    if (place !== at) take({ at: place });
    if (pins.length > 0) change((before) => pins.reduce(turned, [...before]));
    if (entered || within()) focus();
  };

  const waiting = useRef<{ of: string; acts: Act[] }>({ of: "", acts: [] });
  const press = (act: Act) => {
    if (view) return run([act]);
    if (waiting.current.of !== now) waiting.current = { of: now, acts: [] };
    if (now !== "") waiting.current.acts.push(act);
  };
  const catchUp = useEffectEvent(() => {
    const { of, acts } = waiting.current;
    waiting.current = { of: "", acts: [] };
    if (of === now && acts.length > 0) run(acts);
  });
  useEffect(() => {
    if (view) catchUp();
  }, [view]);
  useShortcut("assess.next-evidence", () => press("next"));
  useShortcut("assess.previous-evidence", () => press("previous"));
  useShortcut("assess.evidence", () => press("enter"));
  useShortcut("assess.pin", () => press("pin"), may("assess.decide"));

  return {
    list,
    /** Whether the evidence of the cell in use has come, or no cell is in use. */
    ready: view !== undefined || now === "",
    passages,
    /** Whether they are evidence, rather than the nearest passages. */
    found,
    /** Place of the selected passage in the list; -1 where it is another one, or none is. */
    at,
    /** The selected passage. */
    shown,
    /** Another one with each selection, also of the same passage. */
    selection: `${now} ${own?.turn ?? ""}`,
    pinned,
    isPinned: (passage: Quoted) => pinned.some((each) => isSame(each, passage)),
    /** Pins a passage, or takes its pin away. */
    pin: (passage: Quoted) => change((before) => turned(before, passage)),
    unpin: (passage: PinnedPassage) =>
      change((before) => before.filter((each) => !isSame(each, { pin: passage }))),
    choose: (next: number) => {
      if (!passages[next]) return;
      take({ at: next });
      if (within()) focus();
    },
    /** Selects a passage that is none of the list. */
    show: (beside: Quoted) => take({ at: -1, beside }),
    back,
  };
}

export type Evidence = ReturnType<typeof useEvidence>;
