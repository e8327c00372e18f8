import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { DocumentRow, FigureQuery, FigureRow } from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { show } from "@/test/render";
import { figureOf } from "./figure.fixture";
import FiguresPage from "./index";
import { page } from "./page";

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

let fake: FakeTransport;

const documentOf = (given: Partial<DocumentRow>) =>
  ({
    issuer: "Northwind Energy plc",
    report_id: "northwind-2024",
    path: "2024.pdf",
    ...given,
  }) as DocumentRow;
const REPORTS = [
  documentOf({ id: 1, title: "Northwind report 2024", year: 2024 }),
  documentOf({
    id: 2,
    title: "Northwind report 2023",
    year: 2023,
    report_id: "northwind-2023",
    path: "2023.pdf",
  }),
];
const FIGURES = [
  figureOf({ id: 11, year: 2024, printed: "2,310", value: 2310, normal: 2_310_000 }),
  figureOf({ id: 12 }),
  figureOf({
    id: 13,
    document_id: 2,
    report_id: "northwind-2023",
    document: "Northwind report 2023",
    document_year: 2023,
    page: 79,
    printed: "2,408",
    value: 2408,
    normal: 2_408_000,
  }),
  figureOf({ id: 14, label: ["Reused"], printed: "=31", unit: "%", measure: "share", value: 31, normal: 31 }),
];

function open(
  query: Record<string, string> = {},
  figures: readonly FigureRow[] = FIGURES,
  reports = REPORTS,
) {
  window.location.hash = href("figures", [], query);
  fake = fakeTransport({
    ...handlers,
    "document.list": () => reports,
    "figure.list": () => ({ figures: [...figures], total: figures.length }),
    "document.page_image": () => ({
      page: 84,
      pages: 90,
      label: null,
      width: 10,
      height: 14,
      png: "",
      marks: [{ x: 0.5, y: 0.5, width: 0.1, height: 0.02 }],
    }),
  });
  chooseTransport(fake);
  const slots = {
    context: document.body.appendChild(document.createElement("div")),
    actions: document.body.appendChild(document.createElement("div")),
  };
  return show(
    <HeaderContext value={slots}>
      <FiguresPage />
    </HeaderContext>,
  );
}

const cell = (name: RegExp) => screen.findByRole("gridcell", { name });
const current = () => document.querySelector("[data-cell][tabindex='0']")?.getAttribute("aria-label");
const press = async (key: string, more: Partial<KeyboardEventInit> = {}) => {
  const at = document.querySelector<HTMLElement>("[data-cell][tabindex='0']");
  act(() => at?.focus());
  fireEvent.keyDown(at as HTMLElement, { key, ...more });
  await act(async () => undefined);
};
const queries = () =>
  fake.calls
    .filter(({ command }) => command === "figure.list")
    .map(({ input }) => input as Partial<FigureQuery>);

beforeEach(() => defineShortcuts(page.shortcuts ?? []));

describe("the table", () => {
  it("says each value with its report, period, unit and mark", async () => {
    open();
    expect(await cell(/^Water withdrawn; .*report 2024.*, 2024: 2,310 thousand m³$/)).toHaveTextContent(
      "2,310",
    );
    expect(await cell(/report 2024.*, 2023: 2,480 thousand m³, in conflict$/)).toBeInTheDocument();
    expect(await cell(/report 2023.*, 2023: 2,408 thousand m³, in conflict$/)).toBeInTheDocument();
    expect(await cell(/^Reused; .*report 2024.*, 2024: not given$/)).toHaveTextContent("–");
  });

  it("is walked by keys: arrows, ends, the next value, the next conflict", async () => {
    open();
    await cell(/2,310/);
    expect(current()).toMatch(/2,310/);
    await press("ArrowRight");
    expect(current()).toMatch(/2,480/);
    await press("End");
    expect(current()).toMatch(/2,408/);
    await press("ArrowDown");
    expect(current()).toMatch(/^Reused.*not given/);
    await press("ArrowLeft", { ctrlKey: true });
    expect(current()).toMatch(/^Reused.*=31 %/);
    await press("Home");
    expect(current()).toMatch(/^Reused.*2024: not given/);
    act(() => void handleKey(new KeyboardEvent("keydown", { key: "x" })));
    await waitFor(() => expect(current()).toMatch(/2,480/));
    act(() => void handleKey(new KeyboardEvent("keydown", { key: "x" })));
    await waitFor(() => expect(current()).toMatch(/2,408/));
  });

  it("opens the page of the value", async () => {
    open();
    await cell(/2,310/);
    await press("ArrowRight");
    await press("Enter");
    expect(window.location.hash).toBe(
      href("chunk-lab", [], {
        document: "1",
        view: "read",
        at: "100-105",
        mark: "100-105",
        show: "page",
        page: "84",
      }),
    );
  });

  it("copies what is selected with units and pages", async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
    // jsdom has no clipboard.
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
    open();
    await cell(/2,310/);
    await press("ArrowRight", { shiftKey: true });
    await press("c", { ctrlKey: true });
    const [head, row] = (writeText.mock.calls[0]?.[0] ?? "").split("\n").map((line) => line.split("\t"));
    expect(head?.slice(2, 4)).toEqual(["unit", "place"]);
    expect(row).toEqual([
      "Water withdrawn",
      "2,310",
      "thousand m³",
      "p. 84",
      "2,480",
      "thousand m³",
      "p. 84",
    ]);
  });

  it("saves what is shown, and no value as a formula", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Export CSV" }));
    const saved = await waitFor(() => {
      const call = fake.calls.find(({ command }) => command === "shell.save_text");
      expect(call).toBeDefined();
      return call?.input as { text: string };
    });
    expect(saved.text).toContain('"2,310",thousand m³,p.');
    expect(saved.text).toContain("'=31,%");
  });
});

/** A company that prints in another unit what Northwind prints in thousand m³. */
const AURELIA = [
  ...FIGURES,
  figureOf({
    id: 15,
    document_id: 3,
    report_id: "aurelia-2024",
    document: "Aurelia report 2024",
    printed: "4.1",
    unit: "million m³",
    value: 4.1,
    normal: 4_100_000,
  }),
];

describe("one unit", () => {
  it("is chosen by button and key, stands in the address, and says what is printed", async () => {
    open({}, AURELIA);
    await userEvent.click(await screen.findByRole("radio", { name: "One unit" }));
    expect(
      await cell(/report 2024.*, 2024: 2.31 million m³, printed as 2,310 thousand m³$/),
    ).toHaveTextContent(/^2.31$/);
    expect(await cell(/Aurelia.*: 4.1 million m³$/)).toHaveTextContent(/^4.1$/);
    expect(await cell(/^Reused; .*2023: =31 %$/)).toBeInTheDocument();
    await waitFor(() => expect(window.location.hash).toContain("units=one"));
    act(() => void handleKey(new KeyboardEvent("keydown", { key: "u" })));
    expect(await cell(/2024: 2,310 thousand m³$/)).toBeInTheDocument();
    await waitFor(() => expect(window.location.hash).not.toContain("units="));
  });

  it("is exported as it is shown, with what is printed", async () => {
    open({ units: "one" }, AURELIA);
    await cell(/2.31 million m³/);
    act(() => void handleKey(new KeyboardEvent("keydown", { key: "e", ctrlKey: true, shiftKey: true })));
    const saved = await waitFor(() => {
      const call = fake.calls.find(({ command }) => command === "shell.save_text");
      expect(call).toBeDefined();
      return call?.input as { text: string };
    });
    expect(saved.text).toMatch(/,2\.31,million m³,p\.\s84,"2,310 thousand m³"/);
    expect(saved.text).toMatch(/,4\.1,million m³,p\.\s84,4\.1 million m³/);
  });
});

describe("the pane", () => {
  it("shows the cell with the frame, and both forms of its value", async () => {
    open({}, AURELIA);
    const pane = await screen.findByRole("region", { name: "Figure" });
    await waitFor(() => expect(pane).toHaveTextContent("2,310 thousand m³"));
    expect(pane).toHaveTextContent("in one unit: 2.31 million m³");
    await press("ArrowDown");
    expect(pane).toHaveTextContent("Not given: Reused, Northwind Energy plc, report 2024");
    await press("ArrowRight");
    expect(pane).toHaveTextContent("=31 %");
  });

  it("shows each place of the value, and whether they agree", async () => {
    open({ figure: "12" });
    const pane = await screen.findByRole("region", { name: /^A p\.\s84$/ });
    expect(pane).toHaveTextContent("Water and supply");
    expect(await within(pane).findByRole("img")).toHaveAccessibleName(/^Page 84 of Northwind report 2024/);
    expect(screen.getByRole("region", { name: /^B p\.\s79$/ })).toHaveTextContent("2,408");
    expect(screen.getByText(/^A and B differ by 2.9%/)).toBeInTheDocument();
  });
});

describe("the filters", () => {
  it("stand in the address and go to the engine", async () => {
    open({ q: "water", reports: "northwind-2023", years: "2023", measure: "volume", status: "actual" });
    await screen.findByRole("treegrid");
    expect(queries()[0]).toMatchObject({
      text: "water",
      reports: ["northwind-2023"],
      years: [2023],
      measure: "volume",
      status: "actual",
    });
  });

  it("narrow to conflicts", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: /^Conflicts ?2/ }));
    await waitFor(() => expect(screen.queryByText("Reused")).toBeNull());
    await waitFor(() => expect(window.location.hash).toContain("only=conflict"));
  });

  it("are named where nothing fits, and cleared", async () => {
    open({ measure: "energy", years: "2021" }, []);
    expect(await screen.findByText("No figure in a unit of energy for 2021.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Clear" }));
    await waitFor(() => expect(queries().at(-1)).toMatchObject({ measure: null, years: [] }));
  });

  it("give way to an invitation where there is no report", async () => {
    open({}, [], []);
    expect(await screen.findByText("Figures come from reports. Add one.")).toBeInTheDocument();
  });
});
