// What the tests of Chunk Lab share.

import { act, configure, fireEvent, screen } from "@testing-library/react";
import { beforeEach } from "vitest";
import { handlers } from "@/api/fake";
import { idOf, recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { ChunkingRequest } from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { href } from "@/state/router";
import { connect, sent, showPage } from "@/test/page";
import ChunkLabPage from "./index";
import { page } from "./page";

// CodeMirror measures text, which jsdom cannot.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

export const NORTHWIND = idOf<number>("northwind");
export const chunkOf = (place: number) => idOf<string>(`northwind#${place}`);
/** A configuration in the address that cuts smaller chunks than the reports have. */
export const smaller = (tokens: number) => `report~target_tokens~${tokens}~min_tokens~80~overlap_tokens~48`;
/** The nearest chunk of the first one. */
export const [nearest] = recorded("chunk.neighbours", { chunk_id: chunkOf(0), limit: 5 }).chunks;

export function open(query: Record<string, string> = {}, changed: FakeHandlers = {}) {
  window.location.hash = href("chunk-lab", [], { document: String(NORTHWIND), ...query });
  connect({ ...handlers, ...changed });
  return showPage(<ChunkLabPage />, document.createElement("div"));
}

export const previews = () => sent<Partial<ChunkingRequest>>("chunk.preview");
export const list = () => screen.findByRole("listbox", { name: "Chunks" });
/** A cut of the document, as the engine made it. */
export const cutOfDocument = (request: Partial<ChunkingRequest>) => recorded("chunk.preview", request);
/** The stored cut of the document. */
export const previewOf = () => cutOfDocument({ source: { kind: "document", id: NORTHWIND } });
export const enter = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
export const type = (name: string, value: string) => enter(screen.getByRole("textbox", { name }), value);
export const press = (key: string) => act(() => void handleKey(new KeyboardEvent("keydown", { key })));

beforeEach(() => {
  sessionStorage.clear();
  defineShortcuts(page.shortcuts ?? []);
});
