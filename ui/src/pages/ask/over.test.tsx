import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { navigate } from "@/state/router";
import { askable, selectionNow, setSelected, useSelected } from "@/state/selection";
import { show } from "@/test/render";
import Over from "./Over";

function Handed() {
  return <output>{JSON.stringify(useSelected())}</output>;
}

function open() {
  show(
    <>
      <p data-testid="outside">Not to be asked about.</p>
      <div {...askable({ document: "mill.pdf", page: 3 })}>
        <p data-testid="inside">The wheel turns in spring.</p>
      </div>
      <Over />
      <Handed />
    </>,
  );
}
const select = (id: string) => {
  window.getSelection()?.selectAllChildren(screen.getByTestId(id));
  document.dispatchEvent(new Event("pointerup"));
};

beforeEach(() => {
  // jsdom draws nothing.
  Range.prototype.getBoundingClientRect = () => new DOMRect(40, 40, 100, 20);
});
afterEach(() => {
  setSelected({});
  window.getSelection()?.removeAllRanges();
});

describe("a selected text", () => {
  it("can be asked about alone, with where it is from", async () => {
    open();
    select("inside");
    const only = await screen.findByRole("button", { name: "Ask only from this" });
    await userEvent.click(only);
    expect(window.location.hash).toBe("#/ask?from=selection");
    expect(JSON.parse(screen.getByRole("status").textContent ?? "")).toEqual({
      text: "The wheel turns in spring.",
      document: "mill.pdf",
      section: "",
      page: 3,
      page_label: null,
    });
    await waitFor(() => expect(screen.queryByRole("toolbar")).toBeNull());
  });

  it("is offered no longer on another screen", async () => {
    window.location.hash = "#/chunk-lab";
    open();
    select("inside");
    await screen.findByRole("toolbar");
    act(() => navigate("#/standards"));
    await waitFor(() => expect(screen.queryByRole("toolbar")).toBeNull());
  });

  it("is left alone where it is no text of a document", () => {
    open();
    select("outside");
    expect(selectionNow()).toBeUndefined();
  });
});
