import { useQueryClient } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { refresh } from "@/api/queries";
import { idOf } from "@/api/recording";
import type { ChunkingRequest } from "@/api/types";
import { defineShortcuts } from "@/kit/shortcuts";
import { href } from "@/state/router";
import { connect, Events, fake, sent } from "@/test/page";
import { show } from "@/test/render";
import ChunkLabPage from "./index";
import { page } from "./page";
import { type Base, useBase } from "./use-chunking";

// CodeMirror measures text, which jsdom cannot.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();

const NORTHWIND = idOf<number>("northwind");
const SOURCE = { key: `document:${NORTHWIND}`, source: { kind: "document", id: NORTHWIND } } as const;
const seen = new Set<Base>();
let ingest: () => Promise<void>;

function Screen() {
  const base = useBase(SOURCE).data;
  const queries = useQueryClient();
  useEffect(() => {
    ingest = () => refresh(queries, ["documents", "corpora"]);
    if (base) seen.add(base);
  }, [base, queries]);
  return base ? <p>there</p> : null;
}

it("a document that a job leaves as it is stays the same on screen, with all that hangs on it", async () => {
  connect(handlers);
  show(<Screen />);
  await screen.findByText("there");
  await act(() => ingest());
  await waitFor(() => expect(fake.calls).toHaveLength(2));
  expect(seen.size).toBe(1);
});

it("an open text keeps its place and the settings on trial while events of a job arrive", async () => {
  defineShortcuts(page.shortcuts ?? []);
  connect(handlers);
  window.location.hash = href("chunk-lab", [], { document: String(NORTHWIND) });
  show(
    <>
      <Events />
      <ChunkLabPage />
    </>,
  );
  const target = await screen.findByRole("textbox", { name: "Target tokens" });
  fireEvent.change(target, { target: { value: "160" } });
  const previews = () => sent<Partial<ChunkingRequest>>("chunk.preview");
  const tried = () => previews().filter(({ settings }) => settings?.target_tokens === 160);
  await waitFor(() => expect(tried()).toHaveLength(1));
  await waitFor(() => expect(window.location.hash).toContain("target_tokens%7E160"));
  const text = () => document.querySelector<HTMLElement>(".cm-scroller");
  const editor = text();
  expect(editor).not.toBeNull();
  if (editor) editor.scrollTop = 340;
  for (let event = 0; event < 3; event += 1) {
    const before = previews().length;
    act(() => fake.emit({ tags: ["documents", "corpora", "chunks", "jobs"] }));
    // Each asks for the document again.
    await waitFor(() => expect(previews().length).toBeGreaterThan(before));
  }
  await waitFor(() => expect(previews().filter(({ settings }) => !settings)).toHaveLength(4));
  expect(text()).toBe(editor);
  expect(editor?.isConnected).toBe(true);
  expect(editor?.scrollTop).toBe(340);
  expect(screen.getByRole("textbox", { name: "Target tokens" })).toHaveValue("160");
  expect(window.location.hash).toContain("target_tokens%7E160");
  // The cut on trial is not made again either.
  expect(tried()).toHaveLength(1);
});
