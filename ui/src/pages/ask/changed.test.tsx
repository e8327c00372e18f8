// What Ask says of answers whose sources have changed since.

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { askHandlers } from "@/api/fake/ask";
import { handlers as gold } from "@/api/fake/evaluate";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import { type FakeHandlers, fakeTransport } from "@/api/transport/fake";
import type { Answer, AnswerCitation, AnswerList, KeptAnswer, Replay as Replayed } from "@/api/types";
import { href, parseRoute } from "@/state/router";
import { show } from "@/test/render";
import AskPage from "./index";
import { Replay } from "./Replay";
import { keptAs, PLAN } from "./testing";

const own = askHandlers();
const list = own["answer.log.list"]?.({}, undefined as never) as AnswerList;
const id = Number(keptAs(PLAN));

const changed = (citation: AnswerCitation): AnswerCitation => ({
  ...citation,
  document_id: 7,
  text_version: "v1",
  source: { changed: true, document_id: 7, range: null, kept: true },
});

function withChangedSources(): FakeHandlers {
  const kept = own["answer.log.get"]?.({ id }, undefined as never) as KeptAnswer;
  const citations = kept.answer.citations.map(changed);
  const answer: Answer = { ...kept.answer, citations, source_changed: true };
  return {
    "answer.log.get": () => ({ ...kept, answer }),
    "answer.log.list": () => ({
      ...list,
      entries: list.entries.map((each) => ({ ...each, source_changed: each.id === id })),
    }),
  };
}

describe("an answer whose source has changed since", () => {
  it("says so in the log and at its sources", async () => {
    chooseTransport(fakeTransport({ ...shell, ...library, ...gold, ...own, ...withChangedSources() }));
    window.location.hash = href("ask", [], { answer: String(id) });
    show(<AskPage />);
    const log = await screen.findByRole("group", { name: "Log" });
    expect(within(log).getAllByText(/source changed/)).toHaveLength(1);
    const sources = await screen.findByRole("list", { name: "Sources" });
    const tags = await within(sources).findAllByText("Changed since");
    expect(tags).toHaveLength(within(sources).getAllByRole("listitem").length);
  });

  it("opens the text that it was made from", async () => {
    chooseTransport(fakeTransport({ ...shell, ...library, ...gold, ...own, ...withChangedSources() }));
    window.location.hash = href("ask", [], { answer: String(id), cite: "1" });
    show(<AskPage />);
    const sources = await screen.findByRole("list", { name: "Sources" });
    await userEvent.click(await within(sources).findByRole("button", { name: "Open" }));
    const { page, query } = parseRoute(window.location.hash);
    expect([page, query.get("document"), query.get("version")]).toEqual(["chunk-lab", "7", "v1"]);
    expect(query.get("mark")).toMatch(/^\d+-\d+$/);
    expect(query.get("chunk")).toBeNull();
  });

  it("says so where its search is run again", async () => {
    const replay = own["answer.log.replay"]?.({ id }, undefined as never) as Replayed;
    const handlers = { ...own, "answer.log.replay": () => ({ ...replay, source_changed: true }) };
    chooseTransport(fakeTransport({ ...shell, ...handlers }));
    show(<Replay id={id} onClose={() => undefined} />);
    await screen.findByText("A source that this answer cites has changed since.");
  });
});
