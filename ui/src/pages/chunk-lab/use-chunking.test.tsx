import { useQueryClient } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { chunkLabHandlers } from "@/api/fake/chunk-lab";
import { refresh } from "@/api/queries";
import { fakeTransport } from "@/api/transport/fake";
import { show } from "@/test/render";
import { type Base, useBase } from "./use-chunking";

const SOURCE = { key: "document:5000", source: { kind: "document", id: 5000 } } as const;
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
  const fake = fakeTransport(chunkLabHandlers(3));
  chooseTransport(fake);
  show(<Screen />);
  await screen.findByText("there");
  await act(() => ingest());
  await waitFor(() => expect(fake.calls).toHaveLength(2));
  expect(seen.size).toBe(1);
});
