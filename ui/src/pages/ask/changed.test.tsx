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

const kept = own["answer.log.get"]?.({ id }, undefined as never) as KeptAnswer;

const changed = (citation: AnswerCitation): AnswerCitation => ({
  ...citation,
  document_id: 7,
  text_version: "v1",
  source: { changed: true, document_id: 7, range: null, kept: true },
});

/** The log, where the source of the first citation has changed since. */
function withChangedSource(): FakeHandlers {
  const citations = kept.answer.citations.map((each, at) => (at === 0 ? changed(each) : each));
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
  it("says so in the log and at the source that has", async () => {
    chooseTransport(fakeTransport({ ...shell, ...library, ...gold, ...own, ...withChangedSource() }));
    window.location.hash = href("ask", [], { answer: String(id) });
    show(<AskPage />);
    const log = await screen.findByRole("group", { name: "Log" });
    expect(within(log).getAllByText(/source changed/)).toHaveLength(1);
    const sources = await screen.findByRole("list", { name: "Sources" });
    const tag = await within(sources).findByText("Changed since");
    const items = within(sources).getAllByRole("listitem");
    expect(items.length).toBeGreaterThan(1);
    expect(items[0]).toContainElement(tag);
  });

  it("opens the text that it was made from", async () => {
    chooseTransport(fakeTransport({ ...shell, ...library, ...gold, ...own, ...withChangedSource() }));
    window.location.hash = href("ask", [], { answer: String(id), cite: "1" });
    show(<AskPage />);
    const sources = await screen.findByRole("list", { name: "Sources" });
    await userEvent.click(await within(sources).findByRole("button", { name: "Open" }));
    const { page, query } = parseRoute(window.location.hash);
    expect([page, query.get("document"), query.get("version")]).toEqual(["chunk-lab", "7", "v1"]);
    expect(query.get("mark")).toBe(kept.answer.citations[0]?.span.join("-"));
    expect(query.get("chunk")).toBeNull();
  });

  it.each([true, false])("says so where its search is run again: %s", async (source_changed) => {
    const replay = own["answer.log.replay"]?.({ id }, undefined as never) as Replayed;
    const handlers = { ...own, "answer.log.replay": () => ({ ...replay, source_changed }) };
    chooseTransport(fakeTransport({ ...shell, ...handlers }));
    show(<Replay id={id} onClose={() => undefined} />);
    await screen.findByRole("table");
    const said = screen.queryAllByText("A source that this answer cites has changed since.");
    expect(said).toHaveLength(source_changed ? 1 : 0);
  });
});
