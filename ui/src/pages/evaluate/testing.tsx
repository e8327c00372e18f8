// What the tests of Evaluate share.

import { fireEvent, waitFor } from "@testing-library/react";
import { afterEach, expect } from "vitest";
import { evaluateHandlers } from "@/api/fake/evaluate";
import { handlers as library } from "@/api/fake/library";
import { handlers as searchLab } from "@/api/fake/search-lab";
import { handlers as shell } from "@/api/fake/shell";
import { handlers as recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { GeneratorView } from "@/api/types";
import { judgeAs } from "@/state/judge";
import { href } from "@/state/router";
import { connect, Events, showPage, withKeys } from "@/test/page";
import EvaluatePage from "./index";
import { page } from "./page";
import { matrixWork, runWork } from "./running";

/** Fresh handlers: those of the in-memory engine remember what was done. */
export const fresh = evaluateHandlers;

export function open(query: Record<string, string> = {}, changed: FakeHandlers = {}) {
  connect({
    ...shell,
    ...recorded,
    ...library,
    ...searchLab,
    ...fresh(),
    "answer.generators": (): GeneratorView[] => [],
    ...changed,
  });
  window.location.hash = href("evaluate", [], query);
  return showPage(
    <>
      <Events />
      <EvaluatePage />
    </>,
    document.body.appendChild(document.createElement("div")),
  );
}

export const rows = () => [
  ...document.querySelectorAll<HTMLElement>("[role=treegrid] [role=row][data-index]"),
];
// By its words: names of rows are slow to work out where there are many.
export const rowOf = (id: string) =>
  waitFor(() => {
    const found = rows().find((row) => row.textContent?.startsWith(id));
    expect(found).toBeDefined();
    return found as HTMLElement;
  });
export const press = (key: string) => fireEvent.keyDown(document.body, { key });

withKeys(page);
afterEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  runWork.stop();
  runWork.forget();
  matrixWork.stop();
  matrixWork.forget();
  judgeAs("");
  document.body.replaceChildren();
});
