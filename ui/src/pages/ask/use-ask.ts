// The question on screen with its answer, and what the next one would ask for.

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { CONTEXT_BUDGET } from "@/api/defaults";
import { useCommand, useWorkspace } from "@/api/queries";
import type { AskRequest } from "@/api/types";
import { useSteady } from "@/kit/steady";
import { useStill } from "@/kit/still";
import { useAddressState } from "@/state/address-state";
import { useSelected } from "@/state/selection";
import { ask, useAsking } from "./asking";
import type { Composer } from "./Composer";
import { PAGE } from "./History";
import { citationsOf, fromAnswer } from "./shown";
import { filtersOf, fromAddress, type Place, toAddress } from "./state";

/** Passages that an answer is made from. */
const PASSAGES = 8;
/** Milliseconds that words of the log's field stand before they are looked for. */
const PAUSE = 200;

export const newSession = (): string =>
  `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

/** The log as far as it is asked for. */
export function useLog() {
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const wanted = useStill(search.trim(), PAUSE);
  const list = useCommand("answer.log.list", { search: wanted, limit }, { keep: true });
  const all = useCommand("answer.log.list", { limit: 1 });
  return {
    search,
    wanted,
    list,
    limit,
    total: all.data?.total ?? 0,
    onSearch: (next: string) => {
      setSearch(next);
      setLimit(PAGE);
    },
    onMore: () => setLimit((now) => now + PAGE),
  };
}

/** The state of the screen. */
export function useAsk() {
  const queries = useQueryClient();
  const workspace = useWorkspace();
  const [place, setPlace] = useAddressState("ask", fromAddress, toAddress);
  const change = useCallback((part: Partial<Place>) => setPlace((now) => ({ ...now, ...part })), [setPlace]);
  const given = useSelected();
  const asking = useAsking();
  const own = asking?.workspace === workspace ? asking : undefined;
  const kept = useCommand(
    "answer.log.get",
    { id: place.answer ?? 0 },
    { enabled: place.answer !== undefined },
  );
  const generators = useCommand("answer.generators", {});
  const [refusal, setRefusal] = useState<string>();

  // What was just asked stays on screen until another answer is opened.
  const mine = own && (place.answer === undefined || own.shown.id === place.answer) ? own : undefined;
  const fromLog = kept.data?.answer.id === place.answer ? kept.data : undefined;
  const shown = mine?.shown ?? (fromLog && fromAnswer(fromLog.answer, fromLog.request));
  const { list: known, generator } = writers(generators.data, place.generator);
  const from = shown?.request.selection ?? undefined;

  useEffect(() => {
    if (!place.session) change({ session: newSession() });
  }, [place.session, change]);
  const arrived = useSteady((id: number) => {
    if (place.answer === undefined) change({ answer: id, cite: undefined });
  });
  const start = useCallback(
    async (request: AskRequest) => {
      setRefusal(undefined);
      change({ answer: undefined, cite: undefined, draft: "" });
      const id = await ask(request, queries);
      if (id !== undefined) arrived(id);
    },
    [change, queries, arrived],
  );
  const requestOf = (question: string, part: Partial<AskRequest> = {}): AskRequest => ({
    question,
    generator: place.generator ?? null,
    model: generator?.model ? (place.model ?? null) : null,
    ignore: [],
    also: [],
    filters: filtersOf(place),
    passages: PASSAGES,
    max_tokens: CONTEXT_BUDGET,
    threshold: null,
    min_chunks: 1,
    selection: null,
    session: place.session,
    follow_up: place.follow,
    earlier: null,
    readings: true,
    second_reading: place.second && generator?.remote === true,
    record: true,
    ...part,
  });
  return {
    place,
    change,
    given,
    own,
    mine,
    kept,
    fromLog,
    shown,
    pending: own?.shown.standing === "pending",
    citations: shown ? citationsOf(shown) : [],
    generators,
    known,
    generator,
    selection: place.selection || (shown?.fromSelection ?? false),
    // An answer from a selection shows the text that it is from; a question that is being typed, the text at hand.
    text: shown?.fromSelection && from ? from : given,
    earlier: place.session !== "" && shown?.request.session === place.session ? shown.question : undefined,
    refusal,
    setRefusal,
    start,
    requestOf,
  };
}

export type Ask = ReturnType<typeof useAsk>;

/** The generators, and the one that will write. */
function writers(list: Parameters<typeof Composer>[0]["generators"] | undefined, chosen: string | undefined) {
  const known = list ?? [];
  const usable = known.filter((each) => each.unavailable === "");
  return {
    list: known,
    generator: usable.find((each) => each.name === chosen) ?? known.find((each) => each.default) ?? usable[0],
  };
}
