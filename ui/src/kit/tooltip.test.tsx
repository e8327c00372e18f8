import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { IconButton } from "./Button";
import { Name } from "./Name";
import { DELAY, placeBy, tip } from "./Tooltip";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const words = () => screen.queryByRole("tooltip")?.textContent;

describe("the tooltip", () => {
  it("names an icon once the pointer has rested on it, and goes when it is used", () => {
    show(
      <IconButton label="Delete" keys="mod+k">
        <i />
      </IconButton>,
    );
    const button = screen.getByRole("button", { name: "Delete" });
    fireEvent.pointerOver(button);
    wait(DELAY - 1);
    expect(words()).toBeUndefined();
    wait(1);
    expect(words()).toContain("Delete");
    fireEvent.pointerDown(button);
    expect(words()).toBeUndefined();
    wait(2 * DELAY);
    expect(words()).toBeUndefined();
    fireEvent.pointerOver(document.body);
    fireEvent.pointerOver(button);
    wait(DELAY);
    expect(words()).toContain("Delete");
    fireEvent.keyDown(document.body, { key: "a" });
    expect(words()).toBeUndefined();
  });

  it("says in full what is cut short, and nothing that is in full view", () => {
    show(<Name>report-2024.pdf</Name>);
    const name = screen.getByText("report-2024.pdf");
    fireEvent.pointerOver(name);
    wait(DELAY);
    expect(words()).toBeUndefined();
    Object.defineProperty(name, "scrollWidth", { value: 2_000 });
    fireEvent.pointerOver(document.body);
    fireEvent.pointerOver(name);
    wait(DELAY);
    expect(words()).toBe("report-2024.pdf");
  });

  it("is silent over what is open", () => {
    show(
      <button type="button" aria-expanded {...tip("Chooses a workspace")}>
        default
      </button>,
    );
    fireEvent.pointerOver(screen.getByRole("button"));
    wait(DELAY);
    expect(words()).toBeUndefined();
  });

  it("stands below, above where there is no room, and inside the window", () => {
    const room = { width: 800, height: 600 };
    const size = { width: 200, height: 30 };
    expect(placeBy({ left: 40, top: 10, bottom: 30 }, size, room)).toEqual({ left: 40, top: 36 });
    expect(placeBy({ left: 40, top: 570, bottom: 590 }, size, room)).toEqual({ left: 40, top: 534 });
    expect(placeBy({ left: 760, top: 10, bottom: 30 }, size, room).left).toBe(594);
  });
});

describe("system tooltips", () => {
  // They are large, black, and cover what is being used.
  const sources = import.meta.glob<string>("../**/*.tsx", { eager: true, query: "?raw", import: "default" });
  /** Components whose `title` is a prop of their own, which they show. Any other may hand it on to an element. */
  const showing = new Set([
    "Boundary",
    "Confirm",
    "DocumentName",
    "EmptyState",
    "FormDialog",
    "Head",
    "ImportDialog",
    "Line",
    "NotLoaded",
    "Option",
    "PaneHead",
    "Part",
    "PartHead",
    "Ready",
    "Row",
    "Short",
    "TopBar",
  ]);

  /** What is given a `title` that reaches an element, as far as the source tells. */
  const titled = (source: string) =>
    [...source.matchAll(/\stitle=/g)].flatMap(({ index }) => {
      let at = index;
      for (let depth = 0; at > 0; at -= 1) {
        if (source[at] === "}") depth += 1;
        else if (source[at] === "{") depth -= 1;
        else if (depth <= 0 && /^<[A-Za-z]/.test(source.slice(at, at + 2))) break;
      }
      return [/^<([\w.]+)/.exec(source.slice(at))?.[1] ?? ""];
    });

  it("are asked for nowhere", () => {
    expect(titled('<a\n href={() => ({ a: 1 })} title="x">')).toEqual(["a"]);
    expect(titled("<Open id={id} title={label}>")).toEqual(["Open"]);
    const given = Object.entries(sources)
      .filter(([path]) => !path.includes(".test."))
      .flatMap(([path, source]) => titled(source).map((tag) => ({ path, tag })));
    expect(given.filter(({ tag }) => !showing.has(tag)).map(({ path, tag }) => `${path}: <${tag}>`)).toEqual(
      [],
    );
    // A name on the list that nothing bears would let the next component of that name pass.
    const used = new Set(given.map(({ tag }) => tag));
    expect([...showing].filter((name) => !used.has(name))).toEqual([]);
  });
});
