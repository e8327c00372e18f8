import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { ChunkingDifference, ChunkingRequest } from "@/api/types";
import { sent } from "@/test/page";
import { list, open, press, previews, smaller, type } from "./testing";

const strategies = recorded("strategy.list", {});

const chunks = async () => (await screen.findByTestId("chunk-lab-stats")).textContent?.match(/^[\d,]+/)?.[0];

describe("parameters", () => {
  it("that cannot be listed say so, and are asked for again", async () => {
    let broken = true;
    open(
      {},
      {
        "strategy.list": () => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return strategies;
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list();
  });

  it("are drawn from the strategy's own declaration", async () => {
    open(
      {},
      {
        "strategy.list": () => [
          ...strategies,
          {
            name: "novel",
            summary: "Cuts novels.",
            params: [
              {
                name: "pages_each",
                kind: "integer",
                min: 1,
                max: 9,
                options: [],
                default: 3,
                unit: "pages",
                description: "How many.",
              },
              {
                name: "by",
                kind: "choice",
                min: null,
                max: null,
                options: ["scene", "chapter"],
                default: "scene",
                unit: "",
                description: "",
              },
              {
                name: "mark",
                kind: "text",
                min: null,
                max: null,
                options: [],
                default: "***",
                unit: "",
                description: "",
              },
            ],
          },
        ],
        "chunk.preview": (input: ChunkingRequest, call) =>
          handlers["chunk.preview"]?.(
            input.strategy === "novel" ? { ...input, strategy: null, settings: null } : input,
            call,
          ),
      },
    );
    await list();
    await userEvent.click(screen.getByRole("combobox", { name: "Strategy" }));
    await userEvent.click(await screen.findByRole("option", { name: "novel" }));
    expect(await screen.findByRole("slider", { name: "Pages each" })).toHaveAttribute("aria-valuemax", "9");
    expect(screen.getByRole("combobox", { name: "By" })).toHaveValue("scene");
    expect(screen.getByRole("textbox", { name: "Mark" })).toHaveValue("***");
  });

  it("chunked again while typing, without asking for the text again, and stand in the address", async () => {
    open();
    await list();
    const before = await chunks();
    type("Target tokens", "160");
    await waitFor(async () => expect(await chunks()).not.toBe(before));
    expect(previews().at(-1)).toMatchObject({
      strategy: "report",
      settings: { target_tokens: 160 },
      chunks_only: true,
    });
    await waitFor(() => expect(window.location.hash).toContain("a=report%7Etarget_tokens%7E160"));
    expect(await screen.findByTestId("chunk-lab-difference")).toHaveTextContent(/^Library \+\d+ −\d+/);
  });

  it("lets the latest change win and drops those between", async () => {
    const waiting: (() => void)[] = [];
    open(
      {},
      {
        "chunk.preview": async (input: ChunkingRequest, call) => {
          if (input.settings) await new Promise<void>((resolve) => waiting.push(resolve));
          return handlers["chunk.preview"]?.(input, call);
        },
        // What would change in the library is asked for after a pause, which on a slow machine ends within the test.
        "chunk.difference": () => new Promise<never>(() => undefined),
      },
    );
    await list();
    const less = screen.getByRole("slider", { name: "Target tokens" });
    less.focus();
    for (let count = 0; count < 5; count += 1) await userEvent.keyboard("{ArrowLeft}");
    expect(waiting).toHaveLength(1);
    await act(async () => waiting[0]?.());
    await waitFor(() => expect(waiting).toHaveLength(2));
    await act(async () => waiting[1]?.());
    const asked = previews().flatMap(({ settings }) => settings?.target_tokens ?? []);
    expect(asked).toEqual([319, 315]);
    await waitFor(() =>
      expect(screen.getByTestId("chunk-lab-rebuilt")).toHaveAttribute("data-pending", "false"),
    );
  });

  it("that contradict each other are refused in place, and the last cut stays", async () => {
    open();
    await list();
    const before = await chunks();
    type("Maximum", "200");
    expect(await screen.findByRole("alert")).toHaveTextContent("is above `max_tokens`");
    expect(await chunks()).toBe(before);
  });

  it("have keys: nudge, overlap, the other configuration", async () => {
    open();
    await list();
    press("]");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Target tokens" })).toHaveValue("330"));
    press("o");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Overlap" })).toHaveValue("0"));
    press("x");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Overlap" })).toHaveValue("48"));
  });
});

describe("the price below Apply", () => {
  it("says that it counts this document alone", async () => {
    const priced: FakeHandlers = {
      "chunk.difference": async (...given) => ({
        ...((await handlers["chunk.difference"]?.(...given)) as ChunkingDifference),
        cost: 0.0001,
      }),
    };
    open({ a: smaller(200) }, priced);
    expect(
      await screen.findByText(/^In this document: re-embeds \d+ chunks, about \$0\.\d+$/),
    ).toBeInTheDocument();
  });
});

describe("the library", () => {
  it("is changed only after the cost was shown and confirmed", async () => {
    open({ a: smaller(200) });
    await list();
    await userEvent.click(screen.getByRole("button", { name: "Apply to corpus…" }));
    const dialog = await screen.findByRole("dialog", { name: "Apply to Reports FY2024" });
    expect(await within(dialog).findByTestId("apply-cost")).toHaveTextContent("$0.02");
    expect(sent("ingest.start")).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Apply and re-embed" }));
    await waitFor(() =>
      expect(sent("ingest.start")[0]).toMatchObject({
        sources: [{ kind: "corpus", name: "Reports FY2024" }],
        strategy: "report",
        settings: { target_tokens: 200, min_tokens: 80 },
        force: true,
      }),
    );
  });

  it("is estimated from the document on screen where nothing was looked into", async () => {
    open(
      { a: smaller(200) },
      {
        "ingest.preflight": () => ({
          files: [],
          skipped: [],
          bytes: 0,
          pages: 0,
          tokens: 0,
          chunks: 0,
          seconds: 0,
          embedding_seconds: 0,
          cost: null,
          sampled: false,
        }),
      },
    );
    await screen.findByText(/^Library \+/);
    await userEvent.click(screen.getByRole("button", { name: "Apply to corpus…" }));
    expect(await screen.findByText("Estimated from the document shown.")).toBeInTheDocument();
    expect(screen.getByTestId("apply-cost")).toHaveTextContent("Documents46");
  });

  it("is compared with the cut, chunk by chunk", async () => {
    open({ a: smaller(200) });
    await screen.findByText(/^Library \+/);
    await userEvent.click(
      within(screen.getByTestId("chunk-lab-difference").parentElement as HTMLElement).getByRole("button", {
        name: "Show",
      }),
    );
    const dialog = await screen.findByRole("dialog", { name: "Compared with the library" });
    expect(within(dialog).getByTestId("difference")).toHaveTextContent("New chunks");
    expect(await within(dialog).findByRole("listbox", { name: "Removed chunks" })).toBeInTheDocument();
  });
});

describe("comparison", () => {
  it("sets two configurations side by side, with figures and the boundaries that changed", async () => {
    open({ b: "docs~target_tokens~460" });
    await list();
    await userEvent.click(screen.getByRole("radio", { name: "Compare A/B" }));
    expect(await screen.findByRole("textbox", { name: "Source chunked with A" })).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Source chunked with B" })).toBeInTheDocument();
    const row = screen.getByRole("row", { name: /^Chunks/ });
    const [a, b, change] = within(row)
      .getAllByRole("cell")
      .slice(1)
      .map((cell) => Number(cell.textContent?.replace("−", "-").replace(",", "")));
    expect((b ?? 0) - (a ?? 0)).toBe(change);
    const changed = within(screen.getByRole("listbox", { name: "Boundaries changed" })).getAllByRole(
      "option",
    );
    await userEvent.click(changed[0] as HTMLElement);
    await waitFor(() => expect(window.location.hash).toMatch(/view=compare.*|at=/));
    await userEvent.click(screen.getByRole("button", { name: "Edit configuration B" }));
    expect(await screen.findByRole("slider", { name: "Target tokens" })).toBeInTheDocument();
  });
});
