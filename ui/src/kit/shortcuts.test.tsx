import { fireEvent, render } from "@testing-library/react";
import { Suspense, use } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import en from "@/text/en.json";
import {
  combination,
  defineShortcuts,
  enterScreen,
  handleKey,
  isSingleKey,
  keyNames,
  remapShortcuts,
  useComposer,
  useShortcut,
} from "./shortcuts";

function Bound({ id, action }: { id: string; action: () => void }) {
  useShortcut(id, action);
  return <input aria-label="field" />;
}

beforeEach(() => {
  defineShortcuts([
    { id: "test.letter", keys: "n", label: "Next", group: "Test" },
    { id: "test.combined", keys: "mod+k", label: "Find", group: "Test" },
  ]);
  window.addEventListener("keydown", handleKey);
});
afterEach(() => {
  remapShortcuts({});
  window.removeEventListener("keydown", handleKey);
});

describe("combinations", () => {
  it.each([
    [{ key: "k", ctrlKey: true }, "mod+k"],
    [{ key: "?", shiftKey: true }, "?"],
    [{ key: "R", ctrlKey: true, shiftKey: true }, "mod+shift+r"],
    [{ key: "F6", shiftKey: true }, "shift+f6"],
    [{ key: "®", altKey: true, code: "KeyR" }, "alt+r"],
    [{ key: "¡", altKey: true, code: "Digit1" }, "alt+1"],
    [{ key: " " }, "space"],
  ])("%o is %s", (init, name) => expect(combination(new KeyboardEvent("keydown", init))).toBe(name));

  it("names the caps", () => {
    expect(keyNames("mod+shift+r")).toEqual(["Ctrl", "Shift", "R"]);
    expect(keyNames("arrowup arrowdown")).toEqual(["↑", "↓"]);
    expect(keyNames("f6")).toEqual(["F6"]);
    const { caps } = en.keys;
    expect(keyNames("mod+alt+escape pageup")).toEqual([caps.mod, caps.alt, caps.escape, caps.pageup]);
  });

  it("knows single keys", () => {
    expect(isSingleKey("n")).toBe(true);
    expect(isSingleKey("mod+k")).toBe(false);
    expect(isSingleKey("[ ]")).toBe(true);
  });
});

describe("handling", () => {
  it("runs a letter outside fields only", () => {
    const action = vi.fn();
    const { getByLabelText } = render(<Bound id="test.letter" action={action} />);
    fireEvent.keyDown(getByLabelText("field"), { key: "n" });
    expect(action).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: "n" });
    expect(action).toHaveBeenCalledOnce();
  });

  it("runs a letter in a field that takes none, and leaves it its other keys", () => {
    const action = vi.fn();
    defineShortcuts([{ id: "test.space", keys: "space", label: "Peek", group: "Test" }]);
    const { getAllByLabelText } = render(
      <>
        <Bound id="test.letter" action={action} />
        <Bound id="test.space" action={action} />
        <input aria-label="field" readOnly />
      </>,
    );
    const choice = getAllByLabelText("field")[2] as HTMLElement;
    fireEvent.keyDown(choice, { key: " " });
    expect(action).not.toHaveBeenCalled();
    fireEvent.keyDown(choice, { key: "n" });
    expect(action).toHaveBeenCalledOnce();
  });

  it("runs a combination in fields too", () => {
    const action = vi.fn();
    const { getByLabelText } = render(<Bound id="test.combined" action={action} />);
    fireEvent.keyDown(getByLabelText("field"), { key: "k", ctrlKey: true });
    expect(action).toHaveBeenCalledOnce();
  });

  it("follows a remapping, and an empty one switches off", () => {
    const action = vi.fn();
    render(<Bound id="test.letter" action={action} />);
    remapShortcuts({ "test.letter": "m" });
    fireEvent.keyDown(document.body, { key: "n" });
    expect(action).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: "m" });
    expect(action).toHaveBeenCalledOnce();
    remapShortcuts({ "test.letter": "" });
    fireEvent.keyDown(document.body, { key: "m" });
    expect(action).toHaveBeenCalledOnce();
  });

  it("stops while the component is hidden behind another that loads", async () => {
    const action = vi.fn();
    const Loading = () => use(new Promise<never>(() => undefined));
    const screen = (loading: boolean) => (
      <Suspense fallback="Loading">
        {loading ? <Loading /> : <Bound id="test.letter" action={action} />}
      </Suspense>
    );
    const { rerender, findByText } = render(screen(false));
    rerender(screen(true));
    await findByText("Loading");
    fireEvent.keyDown(document.body, { key: "n" });
    expect(action).not.toHaveBeenCalled();
  });

  it("leaves the rest of a text that was begun on another screen alone", () => {
    const action = vi.fn();
    render(<Bound id="test.letter" action={action} />);
    const press = (timeStamp: number) => {
      const event = new KeyboardEvent("keydown", { key: "n", bubbles: true });
      Object.defineProperty(event, "timeStamp", { value: timeStamp });
      document.body.dispatchEvent(event);
    };
    press(10_000);
    expect(action).toHaveBeenCalledOnce();
    enterScreen();
    press(10_200);
    press(10_900);
    expect(action).toHaveBeenCalledOnce();
    press(12_000);
    press(12_100);
    expect(action).toHaveBeenCalledTimes(3);
  });

  it("knows the text that was begun in a field, and where Enter ended it", () => {
    const action = vi.fn();
    const { getByLabelText } = render(<Bound id="test.letter" action={action} />);
    // A field that leads elsewhere keeps the key from doing anything else.
    getByLabelText("field").addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
    const press = (target: HTMLElement, key: string, timeStamp: number) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, "timeStamp", { value: timeStamp });
      target.dispatchEvent(event);
    };
    press(getByLabelText("field"), "a", 20_000);
    enterScreen();
    press(document.body, "n", 20_300);
    expect(action).not.toHaveBeenCalled();
    press(getByLabelText("field"), "a", 30_000);
    press(getByLabelText("field"), "Enter", 30_100);
    enterScreen();
    press(document.body, "n", 30_200);
    expect(action).toHaveBeenCalledOnce();
  });

  it("stops when the component is gone", () => {
    const action = vi.fn();
    const { unmount } = render(<Bound id="test.letter" action={action} />);
    unmount();
    fireEvent.keyDown(document.body, { key: "n" });
    expect(action).not.toHaveBeenCalled();
  });
});

describe("a screen with a composer", () => {
  const KEYS = ["n", "2", "?"];
  function Key({ id, action }: { id: string; action: () => void }) {
    useShortcut(id, action);
    return null;
  }
  function Composed({ action }: { action: () => void }) {
    useComposer(() => document.querySelector<HTMLElement>("[aria-label=composer]")?.focus());
    return (
      <main tabIndex={-1}>
        {[...KEYS, "/"].map((key) => (
          <Key key={key} id={`test.${key}`} action={action} />
        ))}
        <button type="button">beside</button>
        <section data-pane="results">
          <button type="button">result</button>
          <div data-composer>
            <input aria-label="composer" />
            <button type="button">of the composer</button>
            <button type="button" data-keys>
              result beside it
            </button>
            <input aria-label="choice" readOnly />
          </div>
        </section>
        <div role="menu">
          <button type="button">in a menu</button>
        </div>
      </main>
    );
  }
  const open = () => {
    defineShortcuts([...KEYS, "/"].map((keys) => ({ id: `test.${keys}`, keys, label: keys, group: "Test" })));
    const action = vi.fn();
    const screen = render(<Composed action={action} />);
    const composer = screen.getByLabelText("composer");
    /** Where a key leads: to the field, to its action, or nowhere. */
    const leads = (target: HTMLElement, key: string) => {
      action.mockClear();
      target.focus();
      fireEvent.keyDown(target, { key });
      return document.activeElement === composer
        ? "field"
        : action.mock.calls.length > 0
          ? "action"
          : "nowhere";
    };
    return { ...screen, leads };
  };

  it.each(KEYS)("takes %j as text wherever no pane has the focus", (key) => {
    const { leads, getByText, getByLabelText, getByRole } = open();
    expect(leads(document.body, key)).toBe("field");
    expect(leads(getByRole("main"), key)).toBe("field");
    expect(leads(getByText("beside"), key)).toBe("field");
    expect(leads(getByText("of the composer"), key)).toBe("field");
    expect(leads(getByLabelText("choice"), key)).toBe("field");
    expect(leads(getByText("result"), key)).toBe("action");
    expect(leads(getByText("result beside it"), key)).toBe("action");
    expect(leads(getByText("in a menu"), key)).toBe("nowhere");
  });

  it("begins no text with a space, nor with the key that asks for the field", () => {
    const { leads, getByText } = open();
    expect(leads(getByText("beside"), " ")).toBe("nowhere");
    expect(leads(getByText("beside"), "/")).toBe("action");
  });

  it("leaves keys alone while a dialog is open", () => {
    const { leads, getByText } = open();
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.setAttribute("aria-modal", "true");
    expect(leads(getByText("beside"), "n")).toBe("nowhere");
    dialog.remove();
    expect(leads(getByText("beside"), "n")).toBe("field");
  });
});
