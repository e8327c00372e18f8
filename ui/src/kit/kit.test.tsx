import { act, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { writeLike } from "@/text/locale";
import { toggleChartTables } from "./chart-tables";
import { NumberField, SliderRow, SwitchRow } from "./fields";
import { Highlight } from "./Highlight";
import { lines } from "./HistogramChart";
import { Id } from "./Id";
import { JsonView } from "./JsonView";
import { LegBadge, ScoreBar } from "./legs";
import MarkdownBody from "./MarkdownBody";
import { Meter } from "./Meter";
import { Pane, Panes } from "./Panes";
import { SegmentedControl } from "./SegmentedControl";
import { ErrorState, Loaded, SkeletonRows } from "./states";
import { Tabs } from "./Tabs";
import { Waterfall } from "./Waterfall";

afterEach(() => vi.useRealTimers());

describe("fields", () => {
  it("turns tabs by arrow, and leaves the arrows of what stands beside them alone", async () => {
    function Docks() {
      const [tab, setTab] = useState<"one" | "two">("one");
      const tabs = [
        { value: "one", label: "One", panel: "first" },
        { value: "two", label: "Two", panel: "second" },
      ] as const;
      return (
        <Tabs
          label="Docks"
          value={tab}
          onChange={setTab}
          tabs={tabs}
          end={<button type="button">Swap</button>}
        />
      );
    }
    show(<Docks />);
    const beside = screen.getByRole("button", { name: "Swap" });
    expect(screen.getByRole("tablist")).not.toContainElement(beside);
    beside.focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(beside).toHaveFocus();
    expect(screen.getByRole("tabpanel")).toHaveTextContent("first");
    screen.getByRole("tab", { name: "One" }).focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.getByRole("tab", { name: "Two" })).toHaveFocus();
    expect(screen.getByRole("tabpanel")).toHaveTextContent("second");
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.getByRole("tab", { name: "One" })).toHaveFocus();
    expect(screen.queryByText("second")).toBeNull();
  });

  it("turns a switch by a press, by Space and by Enter, which sends no form", async () => {
    const sent = vi.fn();
    function Form() {
      const [on, setOn] = useState(false);
      return (
        <form onSubmit={sent}>
          <SwitchRow label="Rerank" note="Slower." checked={on} onChange={setOn} />
        </form>
      );
    }
    show(<Form />);
    const control = screen.getByRole("switch", { name: "Rerank", description: "Slower." });
    await userEvent.click(control);
    expect(control).toBeChecked();
    await userEvent.keyboard(" ");
    expect(control).not.toBeChecked();
    await userEvent.keyboard("{Enter}");
    expect(control).toBeChecked();
    expect(sent).not.toHaveBeenCalled();
  });

  it("tells a number only when it is inside its limits", async () => {
    const change = vi.fn();
    show(<NumberField label="Top k" value={10} onChange={change} min={1} max={50} />);
    const field = screen.getByLabelText("Top k");
    await userEvent.clear(field);
    await userEvent.type(field, "620");
    expect(change).not.toHaveBeenCalledWith(620);
    await userEvent.clear(field);
    await userEvent.type(field, "25");
    expect(change).toHaveBeenLastCalledWith(25);
  });

  it("writes and reads decimals the chosen way, and takes a point as well", async () => {
    writeLike("sv-SE");
    const change = vi.fn();
    show(<NumberField label="Weight" value={0.7} onChange={change} min={0} max={1} digits={2} />);
    const field = screen.getByLabelText("Weight");
    expect(field).toHaveValue("0,7");
    for (const [typed, told] of [
      ["0,25", 0.25],
      ["0.75", 0.75],
    ] as const) {
      await userEvent.clear(field);
      await userEvent.type(field, typed);
      expect(field).toHaveValue(typed.replace(".", ","));
      expect(change).toHaveBeenLastCalledWith(told);
    }
    writeLike("en-US");
  });

  it("waits until a number stands where that is asked for, but not after Enter or outside the field", () => {
    vi.useFakeTimers();
    const change = vi.fn();
    show(<NumberField label="Page" value={1} onChange={change} pause={300} min={1} max={50} />);
    const field = screen.getByLabelText("Page");
    const type = (value: string) => fireEvent.change(field, { target: { value } });
    const told = () => change.mock.calls.flat();
    type("2");
    vi.advanceTimersByTime(299);
    type("24");
    vi.advanceTimersByTime(299);
    expect(told()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told()).toEqual([24]);
    type("3");
    fireEvent.keyDown(field, { key: "Enter" });
    type("4");
    fireEvent.blur(field);
    type("5");
    type("500");
    vi.runAllTimers();
    expect(told()).toEqual([24, 3, 4]);
  });

  it("moves a segment with the arrows and wraps", async () => {
    function Modes() {
      const [mode, setMode] = useState<"hybrid" | "semantic" | "keyword">("hybrid");
      return (
        <SegmentedControl
          label="Mode"
          value={mode}
          onChange={setMode}
          options={[
            { value: "hybrid", label: "Hybrid" },
            { value: "semantic", label: "Semantic", disabled: true },
            { value: "keyword", label: "Keyword" },
          ]}
        />
      );
    }
    show(<Modes />);
    await userEvent.tab();
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.getByRole("radio", { name: "Keyword" })).toBeChecked();
    expect(screen.getByRole("radio", { name: "Keyword" })).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.getByRole("radio", { name: "Hybrid" })).toBeChecked();
  });

  it("names everything", async () => {
    show(
      <>
        <SliderRow label="Target tokens" value={320} onChange={() => undefined} min={0} max={800} />
        <SwitchRow label="Split at headings" checked onChange={() => undefined} note="Keeps sections whole" />
        <Meter label="Coverage" value={0.61} />
        <LegBadge leg="semantic" />
        <ScoreBar label="0.0325" scale={0.05} parts={[{ leg: "keyword", value: 0.01 }]} />
        <Waterfall label="Timing" steps={[{ label: "Keyword", start: 0, duration: 11 }]} />
      </>,
    );
    expect(screen.getByRole("meter", { name: "Coverage" })).toHaveAttribute("aria-valuenow", "61");
  });
});

describe("charts", () => {
  it("keep the figures of a step inside the drawing, however long", () => {
    const step = { label: "Semantic", start: 0, duration: 1480, note: "228,778 → 200" };
    show(<Waterfall label="Timing" steps={[step]} width={296} />);
    const bar = document.querySelector("rect[fill^='var']") as SVGRectElement;
    const end = Number(bar.getAttribute("x")) + Number(bar.getAttribute("width"));
    const words = document.querySelector("text.value")?.textContent ?? "";
    expect(words).toContain("228,778 → 200");
    expect(end + 6 * words.length).toBeLessThanOrEqual(296);
  });

  it("set the names of near rules on lines of their own", () => {
    const rules = [
      { at: 40, label: "min 40" },
      { at: 500, label: "max 500" },
      { at: 60, label: "target 60" },
    ];
    expect(lines(rules, (at) => at / 2)).toEqual([0, 0, 1]);
    expect(lines(rules, (at) => at * 4)).toEqual([0, 0, 0]);
  });

  it("turn into tables and back", () => {
    show(<Waterfall label="Timing" steps={[{ label: "Keyword", start: 0, duration: 11 }]} />);
    expect(screen.getByRole("img", { name: "Timing" })).toBeInTheDocument();
    act(() => toggleChartTables());
    expect(
      within(screen.getByRole("region", { name: "Timing" })).getByRole("cell", { name: "11 ms" }),
    ).toBeInTheDocument();
    act(() => toggleChartTables());
    expect(screen.queryByRole("table")).toBeNull();
  });
});

describe("states", () => {
  it("shows skeletons after 300 ms only", () => {
    vi.useFakeTimers();
    const { container } = show(<SkeletonRows rows={2} />);
    expect(container.querySelector(".skel")).toBeNull();
    act(() => void vi.advanceTimersByTime(310));
    expect(container.querySelectorAll(".skel").length).toBeGreaterThan(0);
  });

  it("keeps an old answer in sight when the next one fails", () => {
    const query = { data: "old", error: { code: "io", message: "gone" }, isPending: false, refetch: vi.fn() };
    show(<Loaded query={query}>{(data) => <p>{data}</p>}</Loaded>);
    expect(screen.getByText("old")).toBeInTheDocument();
  });

  it("says the error, and retries", async () => {
    const retry = vi.fn();
    show(
      <ErrorState error={{ code: "storage", message: "Another process holds the file." }} onRetry={retry} />,
    );
    expect(screen.getByRole("alert")).toHaveTextContent("Another process holds the file.");
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it("says nothing twice", () => {
    show(<ErrorState error={{ code: "transport", message: "The engine isn’t responding." }} />);
    expect(screen.getByRole("alert")).toHaveTextContent(/^The engine isn’t responding$/);
  });
});

describe("text that is not trusted", () => {
  it("stays inert as Markdown", () => {
    const hostile = [
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "[click](javascript:alert(1)) [out](https://example.org)",
      "![remote](https://example.org/x.png)",
      "<iframe src='https://example.org'></iframe>",
      "<style>body{display:none}</style>",
    ].join("\n\n");
    const { container } = show(<MarkdownBody text={hostile} />);
    expect(container.querySelector("script, img, iframe, a[href], .markdown style, object, form")).toBeNull();
    expect(container.innerHTML).not.toContain("onerror");
    expect(container).toHaveTextContent("click");
    expect(container).toHaveTextContent("remote");
  });

  it("stays inert as JSON and as a marked text", () => {
    const { container } = show(
      <>
        <JsonView label="Metadata" value={{ name: '<img src=x onerror="alert(1)">', n: [1, 2] }} />
        <Highlight text={"<b>Transition</b> plan"} query="transition" />
      </>,
    );
    expect(container.querySelector("img, b")).toBeNull();
    expect(container.querySelector("mark")).toHaveTextContent("Transition");
    expect(container.querySelector("pre")).toHaveTextContent('"n": [1, 2]');
    expect(container.querySelector(".json-key")).toHaveTextContent('"name"');
    expect(container.querySelector(".json-number")).toHaveTextContent("1");
  });

  it("keeps ids from being mirrored", () => {
    const { container } = show(<Id>S2.14(a)(iv)</Id>);
    expect(container.querySelector("bdi[dir=ltr]")).toHaveTextContent("S2.14(a)(iv)");
  });
});

describe("Panes", () => {
  it("names its panes for F6", () => {
    const { container } = show(
      <Panes id="test">
        <Pane id="list" label="List" size={280}>
          one
        </Pane>
        {false}
        <Pane id="object" label="Object">
          two
        </Pane>
      </Panes>,
    );
    expect(
      [...container.querySelectorAll("[data-pane]")].map((pane) => pane.getAttribute("aria-label")),
    ).toEqual(["List", "Object"]);
    expect(screen.getAllByRole("separator")).toHaveLength(1);
    fireEvent.keyDown(screen.getByRole("separator"), { key: "ArrowRight" });
  });
});
