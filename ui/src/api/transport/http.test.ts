import { afterEach, describe, expect, it, vi } from "vitest";
import { httpTransport, requestOf } from "./http";
import { sentEvents } from "./sent-events";

const session = { scope: "write", workspace: "default", version: "0" } as const;
const envelope = { requestId: "ui-1", workspace: "default" };

/** A response that tells `parts` one after the other. */
const streamed = (...parts: string[]) =>
  new Response(
    new ReadableStream({
      start: (control) => {
        for (const part of parts) control.enqueue(new TextEncoder().encode(part));
        control.close();
      },
    }),
    { headers: { "x-stream-id": "abc" } },
  );

afterEach(() => vi.unstubAllGlobals());

describe("a call as a request", () => {
  it("puts fields into the path, the query and the body", () => {
    expect(requestOf("standards.page", { id: "S2.14(a)/iv ?" }).path).toBe(
      "/api/v1/standards/S2.14(a)%2Fiv%20%3F",
    );
    expect(requestOf("document.list", { words: "a b", corpus: null, limit: 2 }).path).toBe(
      "/api/v1/documents?words=a+b&limit=2",
    );
    const { path, options } = requestOf("gold.rename", { set: "a", name: "b" });
    expect([path, options.method, options.body]).toEqual([
      "/api/v1/gold/sets/a/name",
      "POST",
      '{"name":"b"}',
    ]);
  });

  it("refuses what no server answers", () => {
    expect(() => requestOf("secret.status", {})).toThrow(expect.objectContaining({ code: "forbidden" }));
  });
});

describe("events", () => {
  it("are whole, wherever the connection parts them", async () => {
    const events = [];
    for await (const event of sentEvents(
      streamed(
        ": still here\n\nid: 1",
        ".1\nevent: progress\ndata: {}\n",
        "\nid: 1.2\nevent: answer\ndata: 7\n\nid: 1.3",
      ),
    ))
      events.push(event);
    expect(events).toEqual([
      { id: "1.1", event: "progress", data: "{}" },
      { id: "1.2", event: "answer", data: "7" },
    ]);
  });

  it("are read on where the connection broke", async () => {
    const asked: (string | null)[] = [];
    const answers = [
      streamed('id: a.1\nevent: progress\ndata: {"n":1}\n\n'),
      streamed('id: a.2\nevent: progress\ndata: {"n":2}\n\nid: a.3\nevent: answer\ndata: "done"\n\n'),
    ];
    vi.stubGlobal("fetch", (_: string, { headers }: RequestInit) => {
      asked.push(new Headers(headers).get("last-event-id"));
      return Promise.resolve(answers.shift());
    });
    const told: unknown[] = [];
    const answer = await httpTransport("t", session).call(
      "answer.ask",
      { question: "?" },
      { ...envelope, onProgress: (progress) => told.push(progress) },
    );
    expect([answer, told, asked]).toEqual(["done", [{ n: 1 }, { n: 2 }], [null, "a.1"]]);
  });
});

describe("a call that is given up", () => {
  const stopped = (answers: Promise<Response>[]) => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string, { method }: RequestInit) => {
      asked.push(`${method} ${path}`);
      return answers.shift() ?? Promise.resolve(new Response("{}"));
    });
    const transport = httpTransport("t", session);
    const answer = transport.call("answer.ask", { question: "?" }, envelope);
    return { asked, answer, stop: () => transport.cancel(envelope.requestId) };
  };
  const DELETED = "DELETE /api/v1/streams/abc";

  it("is stopped between two connections", async () => {
    const first = streamed('id: a.1\nevent: progress\ndata: {"n":1}\n\n');
    const { asked, answer, stop } = stopped([Promise.resolve(first)]);
    await new Promise((next) => setTimeout(next, 50));
    stop();
    await expect(answer).rejects.toMatchObject({ code: "cancelled" });
    expect(asked.at(-1)).toBe(DELETED);
  });

  it("is stopped as soon as it has a name, and left at once", async () => {
    let arrive = (_: Response) => {};
    const first = new Promise<Response>((resolve) => {
      arrive = resolve;
    });
    const { asked, answer, stop } = stopped([first]);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    stop();
    await expect(answer).rejects.toMatchObject({ code: "cancelled" });
    expect(asked).toEqual(["POST /api/v1/ask"]);
    arrive(streamed(""));
    await vi.waitFor(() => expect(asked.at(-1)).toBe(DELETED));
  });
});

describe("a browser", () => {
  it("may do what is served and what its token allows", () => {
    const { may } = httpTransport("t", session);
    const allowed = ["search", "review.put", "shell.pick_files", "shell.pick_folders"];
    const not = ["ingest.start", "secret.set", "library.move", "shell.save_file", "shell.quit"];
    expect(allowed.map((each) => may?.(each))).toEqual(allowed.map(() => true));
    expect(not.map((each) => may?.(each))).toEqual(not.map(() => false));
  });

  it("sends a file once for looking into it and adding it, and again where the server has it no more", async () => {
    const dropped = new File(["# Mill"], "mill.md");
    const asked: string[] = [];
    let ids = 0;
    let gone = false;
    vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
      if (path === "/api/v1/files") {
        expect(body).toBe(dropped);
        ids += 1;
        asked.push("file");
        return new Response(JSON.stringify({ file: `id-${ids}`, bytes: 6 }), { status: 201 });
      }
      const [source] = JSON.parse(String(body)).sources;
      asked.push(`${path} ${source.name} ${source.file}`);
      if (!gone) return new Response("{}");
      gone = false;
      return new Response(JSON.stringify({ error: { code: "not_found", message: "" } }), { status: 404 });
    });
    vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(function (this: HTMLInputElement) {
      Object.defineProperty(this, "files", { value: [dropped] });
      this.dispatchEvent(new Event("change"));
    });
    const door = httpTransport("t", { ...session, scope: "spend" });
    const picked = (await door.call("shell.pick_files", {}, envelope)) as { paths: string[] };
    const input = { sources: [{ kind: "path", path: picked.paths[0] }] };
    await door.call("ingest.preflight", input, envelope);
    await door.call("ingest.start", input, envelope);
    expect(asked).toEqual(["file", "/api/v1/ingest/preflight mill.md id-1", "/api/v1/ingest mill.md id-1"]);
    asked.length = 0;
    await door.call("ingest.preflight", input, envelope);
    gone = true;
    await door.call("ingest.preflight", input, envelope);
    expect(asked).toEqual([
      "file",
      "/api/v1/ingest/preflight mill.md id-2",
      "/api/v1/ingest/preflight mill.md id-2",
      "file",
      "/api/v1/ingest/preflight mill.md id-3",
    ]);
  });

  it("stops the work of a stream that it gives up", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string, { method, signal }: RequestInit) => {
      asked.push(`${method} ${path}`);
      const body = new ReadableStream({
        start: (control) => {
          control.enqueue(new TextEncoder().encode("id: a.1\nevent: progress\ndata: {}\n\n"));
          signal?.addEventListener("abort", () => control.error(new DOMException("gone", "AbortError")));
        },
      });
      return Promise.resolve(new Response(body, { headers: { "x-stream-id": "abc" } }));
    });
    const door = httpTransport("t", session);
    const calling = door.call(
      "eval.run",
      { set: "a" },
      { ...envelope, onProgress: () => door.cancel("ui-1") },
    );
    await expect(calling).rejects.toMatchObject({ code: "cancelled" });
    expect(asked).toEqual(["POST /api/v1/evaluations", "DELETE /api/v1/streams/abc"]);
  });
});
