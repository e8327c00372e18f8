// What Ask shows of an answer in figures, and of one that is missing.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { chooseTransport } from "@/api/client";
import { askHandlers } from "@/api/fake/ask";
import { handlers as gold } from "@/api/fake/evaluate";
import { handlers as library } from "@/api/fake/library";
import { handlers as shell } from "@/api/fake/shell";
import { fakeTransport } from "@/api/transport/fake";
import type { Answer, FigureAnswer } from "@/api/types";
import { href, parseRoute } from "@/state/router";
import { show } from "@/test/render";
import { forgetAsking } from "./asking";
import AskPage from "./index";
import { answerTo, CHANGE, HOMES, MISSING, TOGETHER, VALUE } from "./testing";

const REPORT = "Northwind Energy plc: climate report 2024 (fictional)";
const [source] = answerTo(VALUE).citations;

afterEach(forgetAsking);

/** Asks, and gives the answer once it stands so. */
async function answered(
  question: string,
  { change = (answer: Answer): Answer => answer, standing = "answered" } = {},
): Promise<HTMLElement> {
  const own = askHandlers();
  const ask = own["answer.ask"];
  chooseTransport(
    fakeTransport({
      ...shell,
      ...library,
      ...gold,
      ...own,
      "answer.ask": async (input, call) => ({ ...change((await ask?.(input, call)) as Answer), id: null }),
    }),
  );
  window.location.hash = href("ask");
  show(<AskPage />);
  const field = screen.getByRole("textbox", { name: "Question" });
  act(() => field.focus());
  fireEvent.change(field, { target: { value: question } });
  await userEvent.keyboard("{Enter}");
  const article = await screen.findByTestId("ask-article");
  await waitFor(() => expect(article).toHaveAttribute("data-standing", standing));
  return article;
}

const withFigures =
  (change: (figures: FigureAnswer) => Partial<FigureAnswer>) =>
  (answer: Answer): Answer => ({
    ...answer,
    figures: answer.figures && { ...answer.figures, ...change(answer.figures) },
  });

const marked = () => document.querySelectorAll("[data-marked]");
const sources = () => document.querySelector("[data-pane=sources]") as HTMLElement;

describe("an answer in figures", () => {
  it("is the value as printed, with what it is, and its cell in the table of the source", async () => {
    const answer = await answered(VALUE);
    const figures = within(answer).getByTestId("ask-figures");
    expect(figures.querySelector("p")).toHaveTextContent("2,905,000 t CO2e1Scope 1, total, 2023");
    // The sentence says the same.
    expect(answer.querySelector("[data-sentence]")).toBeNull();
    const table = within(figures).getByRole("table", {
      name: `Emissions (t CO2e), ${REPORT}, p.\u00a011`,
    });
    expect(within(table).getByRole("columnheader", { name: "2023" })).toHaveAttribute("scope", "col");
    const row = within(table).getByRole("rowheader", { name: "Scope 1, total" }).closest("tr") as HTMLElement;
    expect(row).toHaveTextContent("Scope 1, total2,548,0002,905,000, the answer4,410,000");
    expect([...marked()].map((each) => each.textContent)).toEqual(["2,905,000, the answer"]);
    expect(within(table).getByText("2 rows below")).toBeInTheDocument();
    expect(screen.queryByRole("meter", { name: "Confidence" })).toBeNull();
  });

  it("that is not given is a hole among those that are", async () => {
    const { figures } = answerTo(VALUE);
    const change = withFigures(() => ({ passed_over: figures?.passed_over }));
    const answer = await answered(MISSING, { standing: "not_found", change });
    const card = within(answer).getByRole("region", { name: "Not found for 2021" });
    const table = within(card).getByRole("table", { name: "Scope 1, total, by period" });
    expect([...marked()].map((each) => each.textContent)).toEqual(["2021: not given"]);
    expect(within(table).getByRole("cell", { name: "2,905,000" })).toBeInTheDocument();
    // No threshold would let another year answer.
    expect(within(answer).getByTestId("ask-trace")).not.toHaveTextContent("threshold");
    expect(within(card).queryByRole("button", { name: /^Try again at/ })).toBeNull();
    const over = within(card).getByRole("region", { name: "Considered but not used" });
    expect(over).toHaveTextContent(`Scopes 1 and 2, market-based, 2023p. 11${REPORT} · another scopeOpen`);
  });
});

describe("a figure that is not given", () => {
  const buttons = (answer: HTMLElement) =>
    [...answer.querySelectorAll("section:first-of-type > .wrap button")].map((each) => each.textContent);

  it("is offered for the nearest period, in the same question", async () => {
    const answer = await answered(MISSING, { standing: "not_found" });
    expect(buttons(answer)).toEqual([
      "2023: 2,905,000 t CO2e",
      "Add the report",
      `Nearest passages ${answerTo(MISSING).passages.length}`,
      "Record as gap…",
    ]);
    await userEvent.click(within(answer).getByText("2023: 2,905,000 t CO2e"));
    await within(answer).findByRole("heading", { name: VALUE });
    await waitFor(() => expect(answer).toHaveAttribute("data-standing", "answered"));
  });

  it("leads to the report that may give it, and to the nearest passages", async () => {
    const answer = await answered(MISSING, { standing: "not_found" });
    await userEvent.click(within(answer).getByText("Nearest passages"));
    await waitFor(() => expect(sources()).toHaveFocus());
    await userEvent.click(within(answer).getByText("Add the report"));
    expect(window.location.hash).toBe("#/library?add=files");
  });

  it("has no offer that would do nothing", async () => {
    const bare = (answer: Answer): Answer => ({
      ...withFigures(({ tables }) => ({
        tables: tables.map((each) => ({
          ...each,
          rows: each.rows.map((row) => ({ ...row, cells: row.cells.map((cell, at) => (at ? "" : cell)) })),
        })),
      }))(answer),
      passages: [],
    });
    const answer = await answered(MISSING, { standing: "not_found", change: bare });
    expect(buttons(answer)).toEqual(["Add the report", "Record as gap…"]);
  });
});

describe("the figures of an answer", () => {
  it("lead to their source by their number, to the same in Figures, and are copied in a line", async () => {
    const write = vi.fn().mockResolvedValue(undefined);
    const answer = await answered(VALUE);
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });
    const chip = within(answer).getByRole("button", { name: `Citation 1, ${REPORT}, p.\u00a011` });
    await userEvent.click(chip);
    expect(chip).toHaveAttribute("aria-current", "true");
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("cite")).toBe("1"));
    expect(within(answer).getByRole("link", { name: "In Figures" })).toHaveAttribute(
      "href",
      "#/figures?q=Scope+1%2C+total&reports=northwind-energy-climate-report-2024",
    );
    within(answer).getByRole("button", { name: "Copy" }).click();
    expect(write.mock.calls).toEqual([
      [`2,905,000 t CO2e; Scope 1, total; 2023; ${REPORT}, p.\u00a011 · ${source?.section.join(" › ")}`],
    ]);
    await userEvent.click(chip);
    expect(parseRoute(window.location.hash).page).toBe("chunk-lab");
  });

  it("are a line each with what follows from them, once", async () => {
    const answer = await answered(CHANGE);
    const lines = [...within(answer).getByTestId("ask-figures").querySelectorAll("p")];
    expect(lines.map((each) => each.textContent)).toEqual([
      "2,905,000 t CO2e1Scope 1, total, 2023",
      "2,548,000 t CO2e2Scope 1, total, 2024",
      "2,548,000 − 2,905,000 = −357,000 t CO2e (-12.3 %)",
    ]);
    expect(answer.querySelector("[data-sentence]")).toBeNull();
    expect(marked()).toHaveLength(2);
    expect(
      within(answer)
        .getAllByRole("columnheader")
        .map((each) => each.textContent),
    ).toEqual(["Emissions (t CO2e)", "2024", "2023", "Base year 2019"]);
  });

  it("from a sentence stand above it, without a table", async () => {
    const answer = await answered(HOMES);
    expect(answer.querySelector("[data-sentence]")).toHaveTextContent(
      "sells electricity and gas to 1.9 million homes.",
    );
    expect(within(answer).queryByRole("table")).toBeNull();
    expect(within(answer).getByText(`${REPORT}, p. 2 · ${REPORT} › About this report`)).toBeInTheDocument();
  });

  it("from sentences are quoted, and what follows from them is told once", async () => {
    const quoted = ({ figures }: FigureAnswer): Partial<FigureAnswer> => ({
      figures: figures.map((each) => ({ ...each, origin: "sentence" })),
      tables: [],
    });
    const answer = await answered(CHANGE, { change: withFigures(quoted) });
    expect(answer.querySelectorAll("[data-sentence]")).toHaveLength(2);
    expect(within(answer).getAllByText(/357,000/)).toHaveLength(1);
  });

  it("say which rows and columns their table leaves out", async () => {
    const cut = ({ tables: [table] }: FigureAnswer): Partial<FigureAnswer> => ({
      tables: table
        ? [
            {
              ...table,
              rows: table.rows.map((row, at) => ({ ...row, rows_before: { 0: 12, 3: 4 }[at] ?? 0 })),
              rows_after: 2,
              columns_left_out: 3,
            },
          ]
        : [],
    });
    const answer = await answered(VALUE, { change: withFigures(cut) });
    const rows = within(answer)
      .getAllByRole("row")
      .map((each) => each.textContent);
    expect(rows[1]).toBe("12 rows above");
    expect(rows[5]).toBe("4 rows between");
    expect(rows.at(-1)).toBe("2 rows below · 3 columns not shown");
  });

  it.each([
    [VALUE, "2,905,000 t CO2e, Scope 1, total, 2023. Answers the question. In the source, page 11."],
    [
      HOMES,
      `1.9 million, ${answerTo(HOMES).figures?.figures[0]?.name} Answers the question. In the source, page 2.`,
    ],
    [MISSING, "Not found. Scope 1, total, 2021: not given."],
  ])("are announced once: %s", async (question, words) => {
    const said: (string | null | undefined)[] = [];
    const status = () => document.querySelector("[data-pane=answer] > [role=status]")?.textContent;
    const hears = new MutationObserver(() => said.at(-1) !== status() && said.push(status()));
    hears.observe(document.body, { subtree: true, childList: true, characterData: true });
    await answered(question, { standing: question === MISSING ? "not_found" : "answered" });
    await waitFor(() => expect(said.at(-1)).toBe(words));
    hears.disconnect();
    expect(said.filter(Boolean)).toEqual(["Answering", words]);
  });

  it("stand in each reading of a question", async () => {
    const sides = (answer: Answer): Answer => ({
      ...answer,
      figures: null,
      readings: ["Northwind", "Aurelia"].map((reading, at) => ({
        ...answer,
        reading,
        answer: "",
        citations: answer.citations.map((each) => ({ ...each, n: at + 1 })),
        figures: answer.figures && {
          ...answer.figures,
          also: [],
          passed_over: [],
          figures: answer.figures.figures.map((each) => ({ ...each, citation: at + 1 })),
          tables: answer.figures.tables.map((each) => ({ ...each, citation: at + 1 })),
        },
      })),
    });
    const answer = await answered(VALUE, { change: sides });
    for (const name of ["Northwind", "Aurelia"])
      expect(within(within(answer).getByRole("region", { name })).getAllByRole("table")).toHaveLength(1);
    expect(marked()).toHaveLength(2);
  });

  it("are left out where an answer that was kept before has none", async () => {
    const answer = await answered(VALUE, {
      change: ({ figures: _, ...kept }) => kept as Answer,
    });
    expect(answer.querySelector("[data-sentence]")).toHaveTextContent(
      "Scope 1, total, 2023: 2,905,000 t CO2e",
    );
    expect(within(answer).queryByTestId("ask-figures")).toBeNull();
  });
});

describe("beside the sources of a figure", () => {
  it("stand other places that state it, with how they agree, and what was not used, with why", async () => {
    await answered(TOGETHER);
    expect(sources()).toHaveTextContent("1 cited, 1 agrees");
    const texts = (name: string) =>
      within(within(sources()).getByRole("region", { name }))
        .getAllByRole("listitem")
        .map((each) => each.textContent);
    expect(texts("Also stated")).toEqual([
      `${REPORT}p.\u00a014Scopes 1 and 2, absolute, 2030 › Value, 20242,566,000 tagreesOpen`,
    ]);
    expect(texts("Considered but not used")).toEqual(
      ["Scope 1, total", "Scope 2, location-based", "Scope 2, market-based", "Scope 1: gas plants"].map(
        (name) => `${name}, 2024p.\u00a011${REPORT} · another scopeOpen`,
      ),
    );
    const [also] = answerTo(TOGETHER).figures?.also ?? [];
    await userEvent.click(
      within(sources()).getByRole("button", {
        name: `Open Scopes 1 and 2, absolute, 2030 › Value, 2024, ${REPORT}, p.\u00a014`,
      }),
    );
    const { page, query } = parseRoute(window.location.hash);
    expect([page, query.get("document"), query.get("mark"), query.get("page")]).toEqual([
      "chunk-lab",
      String(also?.figure.document_id),
      also?.figure.span.join("-"),
      "14",
    ]);
  });

  it.each([
    ["rounded", "rounded, agreesOpen"],
    ["differs", "differsOpen"],
  ] as const)("stands how another place agrees where it is %s", async (agreement, told) => {
    await answered(TOGETHER, {
      change: withFigures(({ also }) => ({ also: also.map((each) => ({ ...each, agreement })) })),
    });
    expect(within(sources()).getByRole("region", { name: "Also stated" })).toHaveTextContent(told);
  });
});
