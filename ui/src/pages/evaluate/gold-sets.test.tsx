import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { GoldImported } from "@/api/types";
import { sent, write } from "@/test/page";
import { fresh, open, rowOf } from "./testing";

describe("gold sets", () => {
  it("tell in a whole sentence why a query or a name was refused", async () => {
    const refuse = (command: string) => () => {
      throw { code: "invalid", message: `${command} was refused; choose another` };
    };
    open({ set: "S2 review" }, { "gold.rename": refuse("the name"), "gold.put_query": refuse("the query") });
    fireEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
    fireEvent.click(await screen.findByRole("button", { name: "Rename S2 review" }));
    const dialog = await screen.findByRole("dialog", { name: "Rename “S2 review”" });
    fireEvent.change(within(dialog).getByRole("textbox", { name: "Name" }), { target: { value: "Taken" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Rename" }));
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(
      "The name was refused; choose another.",
    );
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await userEvent.click(await screen.findByRole("button", { name: "Add query" }));
    const adding = await screen.findByRole("dialog", { name: "Add query" });
    fireEvent.change(within(adding).getByRole("textbox", { name: "Query" }), { target: { value: "why" } });
    // Enter in either field adds it.
    await write(within(adding).getByRole("textbox", { name: "Type" }), "{Enter}");
    expect(await within(adding).findByRole("alert")).toHaveTextContent(
      "The query was refused; choose another.",
    );
  });

  it("are made beside those that exist, each by a name of its own and a first query", async () => {
    open({ set: "S2 review" });
    fireEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
    fireEvent.click(await screen.findByRole("button", { name: "New gold set…" }));
    const dialog = await screen.findByRole("dialog", { name: "New gold set" });
    const field = (name: string) => within(dialog).getByRole("textbox", { name });
    fireEvent.change(field("First query"), { target: { value: "who oversees climate risk" } });
    fireEvent.change(field("Name"), { target: { value: "S2 review" } });
    expect(within(dialog).getByRole("alert")).toHaveTextContent("“S2 review”");
    fireEvent.change(field("Name"), { target: { value: "Oversight" } });
    await write(field("First query"), "{Enter}");
    await waitFor(() =>
      expect(sent("gold.put_query")).toEqual([{ set: "Oversight", query: "who oversees climate risk" }]),
    );
    await waitFor(() => expect(window.location.hash).toMatch(/set=Oversight/));
  });

  it("are renamed, and stay chosen under the new name", async () => {
    open({ set: "S2 review" });
    fireEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
    fireEvent.click(await screen.findByRole("button", { name: "Rename S2 review" }));
    const dialog = await screen.findByRole("dialog", { name: "Rename “S2 review”" });
    const field = within(dialog).getByRole("textbox", { name: "Name" });
    fireEvent.change(field, { target: { value: " Reviewers " } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Rename" }));
    await waitFor(() => expect(sent("gold.rename")).toEqual([{ set: "S2 review", name: "Reviewers" }]));
    await waitFor(() => expect(window.location.hash).toMatch(/set=Reviewers/));
  });

  describe("are exported", () => {
    const choose = async (format: string) => {
      await userEvent.click(await screen.findByRole("button", { name: /^Gold set:/ }));
      await userEvent.click(await screen.findByRole("button", { name: "Export" }));
      await userEvent.click(await screen.findByRole("menuitem", { name: format }));
    };

    it("as a file of lines, where the reader says", async () => {
      open({}, { "shell.save_text": () => ({ paths: ["/out/s2.jsonl"] }) });
      await choose("JSON Lines…");
      await waitFor(() => expect(sent("shell.save_text")).toHaveLength(1));
      expect(sent("gold.export")).toEqual([{ set: "S2 review", format: "jsonl" }]);
      const { name, text } = sent("shell.save_text")[0] as { name: string; text: string };
      expect(name).toBe(recorded("gold.export", { set: "S2 review", format: "jsonl" })[0]?.name);
      expect(
        text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).id),
      ).toContain("Q07");
    });

    it.each([
      ["BEIR folder…", "beir"],
      ["TREC qrels…", "trec"],
    ])("as %s into a folder", async (label, format) => {
      open({}, { "shell.pick_folders": () => ({ paths: ["/out"] }) });
      await choose(label);
      await waitFor(() =>
        expect(sent("gold.export")).toEqual([{ set: "S2 review", format, folder: "/out" }]),
      );
      expect(sent("shell.save_text")).toEqual([]);
    });

    it("as they were, from the list of their versions", async () => {
      open({}, { "shell.save_text": () => ({ paths: ["/out/s2.jsonl"] }) });
      await userEvent.click(await screen.findByRole("button", { name: "Gold set: S2 review" }));
      await userEvent.click(await screen.findByRole("button", { name: "History of S2 review" }));
      const dialog = await screen.findByRole("dialog", { name: "Versions of “S2 review”" });
      const versions = await within(dialog).findAllByRole("listitem");
      expect(versions.map((each) => /^Version \d/.exec(each.textContent ?? "")?.[0])).toEqual([
        "Version 3",
        "Version 2",
        "Version 1",
      ]);
      const [last] = recorded("gold.history", { set: "S2 review" });
      expect(last?.changes?.labels_added).toBe(1);
      expect(versions[0]).toHaveTextContent(`1 judgment added${last?.changes?.named.join(", ")}`);
      expect(versions[2]).toHaveTextContent("First known version");
      await userEvent.click(within(dialog).getByRole("button", { name: "Export version 2" }));
      await userEvent.click(await screen.findByRole("menuitem", { name: "JSON Lines…" }));
      await waitFor(() => expect(sent("shell.save_text")).toHaveLength(1));
      expect(sent("gold.export")).toEqual([{ set: "S2 review", format: "jsonl", version: 2 }]);
    });

    it("into no folder where none is chosen", async () => {
      open({}, { "shell.pick_folders": () => ({ paths: [] }) });
      await choose("BEIR folder…");
      await waitFor(() => expect(sent("shell.pick_folders")).toHaveLength(1));
      expect(await screen.findByRole("button", { name: "Export" })).toBeEnabled();
      expect(sent("gold.export")).toEqual([]);
    });
  });

  it("invites to import one where there is none, and says what matched nothing", async () => {
    open({}, { "gold.list": () => [], "shell.pick_files": () => ({ paths: ["/gold/standards.jsonl"] }) });
    expect(await screen.findByText("There is no gold set in this workspace.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Import file…" }));
    const dialog = await screen.findByRole("dialog", { name: "“standards” imported" });
    expect(sent("gold.import")).toEqual([{ path: "/gold/standards.jsonl" }]);
    expect(dialog).toHaveTextContent("S2.99");
    expect(dialog).toHaveTextContent("the workspace has no paragraph with this id");
  });

  it("says what an import left open, and what counts", async () => {
    const handlers = fresh();
    open(
      {},
      {
        "gold.list": () => [],
        "shell.pick_files": () => ({ paths: ["/gold/c.qrels"] }),
        "gold.import": (input, call) => {
          const taken = (handlers["gold.import"] as (...all: unknown[]) => GoldImported)(input, call);
          const message =
            "`harbour-a` has the grades 3 and 0 for `q1` (lines 1 and 3): the highest, 3, counts";
          return {
            ...taken,
            set: { ...taken.set, unlabelled: 1 },
            notes: [{ kind: "grades" as const, message }],
          };
        },
      },
    );
    await userEvent.click(await screen.findByRole("button", { name: "Import file…" }));
    const dialog = await screen.findByRole("dialog", { name: "“c” imported" });
    expect(dialog).toHaveTextContent("Several grades. `harbour-a` has the grades 3 and 0 for `q1`");
    expect(dialog).toHaveTextContent("Queries without judgments1");
  });

  it("measures a collection that includes its own documents, and lists its runs", async () => {
    open({}, { "shell.pick_folders": () => ({ paths: ["/collections/scifact"] }) });
    await userEvent.click(await screen.findByRole("button", { name: /^Gold set:/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Import folder…" }));
    const dialog = await screen.findByRole("dialog", { name: "“scifact” imported" });
    expect(dialog).toHaveTextContent("This collection includes its own documents.");
    expect(dialog).not.toHaveTextContent("S2.99");
    await userEvent.click(within(dialog).getByRole("button", { name: "Measure the collection" }));
    await waitFor(() =>
      expect(sent("eval.beir")).toEqual([{ folder: "/collections/scifact", save: "scifact" }]),
    );
    await waitFor(() => expect(document.querySelector("[data-run]")?.textContent).toContain("scifact"));
  });

  it("tells a failure where the list would stand, and asks again", async () => {
    let broken = true;
    const handlers = fresh();
    open(
      {},
      {
        "gold.list": (input, call) => {
          if (!broken) return handlers["gold.list"]?.(input, call);
          throw { code: "storage", message: "another process holds the file" };
        },
      },
    );
    broken = false;
    await userEvent.click(await screen.findByRole("button", { name: "Retry" }));
    expect(await rowOf("Q07")).toBeInTheDocument();
  });
});
