// How the log says that each question ended.

import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { askHandlers } from "@/api/fake/ask";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import { fakeTransport } from "@/api/transport/fake";
import type { AnswerList, LoggedQuestion } from "@/api/types";
import { href } from "@/state/router";
import { show } from "@/test/render";
import { forgetAsking } from "./asking";
import AskPage from "./index";

const COMPLETE = { outcome: "complete", refusal: null, readings: 0 } as const;
const ENDS: [Partial<LoggedQuestion>, shape: string, words: string][] = [
  [{ ...COMPLETE, band: "high" }, "circle-check", "Answered"],
  [{ ...COMPLETE, band: "medium" }, "tilde", "Probably answered"],
  [{ ...COMPLETE, band: "low" }, "help-circle", "May not answer"],
  [{ ...COMPLETE, band: "very_low" }, "help-circle", "May not answer"],
  [{ ...COMPLETE, band: "low", readings: 2 }, "git-merge", "2 readings"],
  [{ outcome: "refused", refusal: "not_found", band: "high" }, "circle-dashed", "Not found"],
];

beforeEach(() => {
  const own = askHandlers();
  chooseTransport(
    fakeTransport({
      ...shell,
      ...library,
      ...own,
      "answer.log.list": async (input, call) => {
        const list = (await own["answer.log.list"]?.(input, call)) as AnswerList;
        return { ...list, entries: list.entries.map((each) => ({ ...each, ...ENDS[7 - each.id]?.[0] })) };
      },
    }),
  );
  window.location.hash = href("ask");
  show(<AskPage />);
});
afterEach(forgetAsking);

const ends = () =>
  [...document.querySelectorAll("[data-entry] svg")].map((svg) => [
    svg.getAttribute("class")?.match(/tabler-icon-([a-z-]+)/)?.[1],
    svg.nextSibling?.textContent,
  ]);

it("says it by the words and shapes of the marks, also among what is found", async () => {
  await waitFor(() => expect(ends()).toHaveLength(7));
  expect(ends().slice(0, 6)).toEqual(ENDS.map(([, shape, words]) => [shape, words]));
  fireEvent.change(screen.getByRole("searchbox", { name: "Search the log" }), {
    target: { value: "internal carbon" },
  });
  await waitFor(() => expect(ends()).toEqual([["help-circle", "May not answer"]]));
});
