import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { handlers } from "@/api/fake";
import { recorded } from "@/api/recording";
import { defineShortcuts, useShortcut } from "@/kit/shortcuts";
import { href } from "@/state/router";
import { sent } from "@/test/page";
import { show } from "@/test/render";
import { heading, open, pageOf, place, rows, treeItem, user, waitForElement, words } from "./testing";

/** The key of the window that shows all keys. */
function MapKey({ onPress }: { onPress: () => void }) {
  useShortcut("app.map", onPress);
  return null;
}

describe("the tree", () => {
  it("leads to a paragraph by keyboard alone", async () => {
    open("S2.14(a)");
    const item = await treeItem(/Responses and target-achievement plans/);
    expect(item).toHaveAttribute("aria-selected", "true");
    act(() => item.focus());
    await user.keyboard("{ArrowRight}");
    await treeItem(/How climate targets will be achieved/);
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}");
    await heading("Climate transition plan, assumptions, dependencies");
    expect(place().path).toEqual(["S2.14(a)(iv)"]);
  });

  it("leaves the keys of the screen to the screen after a click in it", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    await user.click(await treeItem(/Responses and target-achievement plans/));
    act(() =>
      rows()
        .find((row) => row.getAttribute("aria-selected") === "true")
        ?.focus(),
    );
    await user.keyboard("k");
    await waitFor(() => expect(place().path).not.toEqual(["S2.14(a)"]));
  });

  /** Clicks the item that is open, so that the keyboard is in the tree. */
  async function intoTree() {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    await screen.findByRole("radiogroup", { name: "Status" });
    const item = await treeItem(/Responses and target-achievement plans/);
    await user.click(item);
    act(() => item.focus());
  }

  it("leaves the digits, N and ? to the screen, which set a status, go on and show the keys", async () => {
    const shown = vi.fn();
    defineShortcuts([{ id: "app.map", keys: "?", label: "Keys", group: "Anywhere" }]);
    await intoTree();
    show(<MapKey onPress={shown} />);
    for (const [key, status] of [
      ["2", "met"],
      ["3", "partly"],
      ["4", "gap"],
      ["5", "not_applicable"],
      ["1", "open"],
    ]) {
      await user.keyboard(`${key}`);
      await waitFor(() =>
        expect(sent("review.put").at(-1)).toMatchObject({ paragraph_id: "S2.14(a)", status }),
      );
    }
    await user.keyboard("?");
    expect(shown).toHaveBeenCalledOnce();
    await user.keyboard("n");
    await waitFor(() => expect(place().path).not.toEqual(["S2.14(a)"]));
  });

  it.each(["i", "e"])("keeps %s, which is no key of the screen, to itself", async (key) => {
    await intoTree();
    await user.keyboard(key);
    expect(document.activeElement).toHaveAttribute("role", "treeitem");
    expect(sent("review.put")).toEqual([]);
  });

  it("filters as one types, keeps what lies around, marks and counts", async () => {
    open("S2.1");
    await heading("Aim: decision-useful climate risk information");
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "transition plan" } });
    act(() => field.focus());
    const match = await treeItem(/Climate transition plan, assumptions/);
    expect([...match.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "transition",
      "plan",
    ]);
    const found = recorded("standards.tree", {}).filter(({ label }) => /transition.*plan/i.test(label));
    expect(screen.getByRole("status", { name: `${found.length} matches` })).toBeInTheDocument();
    const own = found.filter(({ source_type }) => source_type === "ifrs_s2");
    expect(await treeItem(/IFRS S2 · Climate-related Disclosures/)).toHaveTextContent(`${own.length} of `);
    expect(rows().some((row) => /^Scope/.test(words(row)))).toBe(false);
    await waitFor(() => expect(place().query.get("q")).toBe("transition plan"));
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement).toHaveAttribute("role", "treeitem"));
    act(() => field.focus());
    await user.keyboard("{Escape}");
    expect(field).toHaveValue("");
    await treeItem(/^Scope/);
  });

  it("opens the first match on Enter, and an id finds itself", async () => {
    open("S2.1");
    await heading("Aim: decision-useful climate risk information");
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "s2.14(a)(iv)" } });
    act(() => field.focus());
    await user.keyboard("{Enter}");
    await heading("Climate transition plan, assumptions, dependencies");
  });

  it("shows statuses as shapes with their names, gaps alone, and how far the review has come", async () => {
    open("S2.14(a)");
    await treeItem(/Responses and target-achievement plans.*Partly met/);
    expect(await screen.findByRole("meter", { name: "S2 reviewed" })).toHaveAttribute(
      "aria-valuetext",
      `8 of ${recorded("standards.tree", {}).filter((node) => node.requirement && node.source_type === "ifrs_s2").length}`,
    );
    await user.click(screen.getByRole("button", { name: "Status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Gap 1" }));
    await treeItem(/Climate transition plan.*Gap/);
    expect(rows().some((row) => /Met$/.test(words(row)))).toBe(false);
    expect(place().query.get("status")).toBe("gap");
    await user.click(screen.getByRole("button", { name: "S1" }));
    await user.click(await screen.findByRole("button", { name: "Clear the filter" }));
    await treeItem(/IFRS S2/);
  });

  it("follows a link to its branch and leaves open what was opened", async () => {
    open("S2.1");
    await heading("Aim: decision-useful climate risk information");
    const branch = await treeItem(/^Core content/);
    await user.click(within(branch).getByRole("button", { name: "Open Core content" }));
    expect(branch).toHaveAttribute("aria-expanded", "true");
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)(iv)"]);
    });
    await heading("Climate transition plan, assumptions, dependencies");
    expect(await treeItem(/Climate transition plan, assumptions/)).toHaveAttribute("aria-selected", "true");
    expect(await treeItem(/^Core content/)).toHaveAttribute("aria-expanded", "true");
  });

  it("leaves a narrower body for a paragraph outside it, and shows it under a filter", async () => {
    open("S1.1", { in: "S1" });
    await treeItem(/IFRS S1/);
    expect(rows().some((row) => /IFRS S2/.test(words(row)))).toBe(false);
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)"], { in: "S1" });
    });
    expect(await treeItem(/Responses and target-achievement plans/)).toHaveAttribute("aria-selected", "true");
    await waitFor(() => expect(place().query.get("in")).toBeNull());
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "responses" } });
    await waitFor(() => expect(rows().some((row) => /Business model/.test(words(row)))).toBe(false));
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)(i)"], { q: "responses" });
    });
    expect(await treeItem(/Business model and resource/)).toHaveAttribute("aria-selected", "true");
  });

  it("holds a few rows of very many", async () => {
    open("EM-EP-110a.1");
    await heading(pageOf("EM-EP-110a.1").label);
    expect(rows().length).toBeLessThan(60);
  });
});

describe("states", () => {
  it("offers the standards to a library without them", async () => {
    open("", {}, { "standards.tree": () => [], "ingest.start": () => ({ id: 9 }) });
    await user.click(await screen.findByRole("button", { name: "Add the standards" }));
    expect(await screen.findByText(/They are being added/)).toBeInTheDocument();
    expect(sent("ingest.start")).toEqual([{ sources: [], corpus: "all", embed: "instant" }]);
  });

  it("tells that the tree could not be read", async () => {
    open(
      "",
      {},
      {
        "standards.tree": () => {
          throw { code: "storage", message: "disk I/O error" };
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
  });

  it("tells that the reports could not be listed, and lists them again", async () => {
    let broken = true;
    open(
      "S2.14(a)",
      {},
      {
        "document.list": (input, call) => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return handlers["document.list"]?.(input, call);
        },
      },
    );
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Disk I/O error");
    broken = false;
    await user.click(within(alert).getByRole("button", { name: "Retry" }));
    await waitForElement("[role=radiogroup][aria-label='Status']");
  });
});
