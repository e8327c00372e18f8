import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  type Command,
  call,
  chooseTransport,
  EngineError,
  enterWorkspace,
  type Input,
  subscribe,
} from "./client";
import { createQueries, followEvents, keyOf, queryOf, refresh } from "./queries";
import { type FakeTransport, fakeTransport } from "./transport/fake";

const command = (name: string) => name as Command;
const input = (value: unknown) => value as Input<Command>;
let fake: FakeTransport;

beforeEach(() => {
  fake = fakeTransport({
    echo: (value) => value,
    where: (_, { workspace }) => workspace,
    refuse: () => {
      throw { code: "not_found", message: "corpus `x` does not exist" };
    },
    slow: async (_, { wait }) => {
      await wait(60_000);
    },
  });
  chooseTransport(fake);
  enterWorkspace("default");
});

describe("calls", () => {
  it("carry input, workspace and answer", async () => {
    expect(await call(command("echo"), input({ a: [1] }))).toEqual({ a: [1] });
    enterWorkspace("other");
    expect(await call(command("where"), input({}))).toBe("other");
  });

  it("stay in the workspace that they were asked for in", async () => {
    const queries = createQueries();
    const here = queryOf("library.overview", {});
    enterWorkspace("other");
    expect(here.queryKey).not.toEqual(queryOf("library.overview", {}).queryKey);
    chooseTransport(fakeTransport({ "library.overview": (_, { workspace }) => workspace }));
    expect(await queries.fetchQuery(here)).toBe("default");
  });

  it("tell how far they have come, each to its own caller and until it gives up", async () => {
    const stage = "search" as const;
    const control = new AbortController();
    const told: [string, number][] = [];
    chooseTransport(
      fakeTransport({
        stream: async ({ total }, { tell, wait }) => {
          tell({ kind: "evaluating", stage, done: 1, total });
          await wait(5);
          tell({ kind: "evaluating", stage, done: 2, total });
          return total;
        },
      }),
    );
    const follow = (name: string, total: number, signal?: AbortSignal) =>
      call(command("stream"), input({ total }), {
        signal,
        onProgress: (progress) => {
          if (progress.kind === "evaluating") told.push([name, progress.done]);
          if (name === "left") control.abort();
        },
      });
    const left = expect(follow("left", 3, control.signal)).rejects.toMatchObject({ code: "cancelled" });
    expect(await follow("followed", 2)).toBe(2);
    await left;
    expect(told).toEqual([
      ["left", 1],
      ["followed", 1],
      ["followed", 2],
    ]);
  });

  it("fail with a code", async () => {
    const failed = call(command("refuse"), input({}));
    await expect(failed).rejects.toBeInstanceOf(EngineError);
    await expect(failed).rejects.toMatchObject({ code: "not_found", message: "corpus `x` does not exist" });
    await expect(call(command("nothing"), input({}))).rejects.toMatchObject({ code: "unknown_command" });
  });

  it("are cancelled by their signal, before and while they run", async () => {
    const control = new AbortController();
    const running = call(command("slow"), input({}), { signal: control.signal });
    control.abort();
    await expect(running).rejects.toMatchObject({ cancelled: true });
    const calls = fake.calls.length;
    await expect(call(command("slow"), input({}), { signal: control.signal })).rejects.toMatchObject({
      cancelled: true,
    });
    expect(fake.calls.length).toBe(calls);
  });

  it("name what no code was given for", () => {
    expect(EngineError.from("boom")).toMatchObject({ code: "transport", message: "boom" });
  });
});

describe("events", () => {
  it("reach listeners until they stop", () => {
    const seen: unknown[] = [];
    const stop = subscribe((event) => seen.push(event.tags));
    fake.emit({ tags: ["chunks"] });
    stop();
    fake.emit({ tags: ["documents"] });
    expect(seen).toEqual([["chunks"]]);
  });

  it("refresh at once, then at most four times a second", async () => {
    vi.useFakeTimers();
    const queries = createQueries();
    const refreshed = vi.spyOn(queries, "invalidateQueries");
    const stop = followEvents(queries);
    for (let n = 0; n < 100; n += 1) fake.emit({ tags: ["chunks"] });
    expect(refreshed).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(260);
    expect(refreshed).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(refreshed).toHaveBeenCalledTimes(2);
    stop();
    vi.useRealTimers();
  });

  it("ask again what was asked for the first time before they came", async () => {
    let answer = 0;
    chooseTransport(
      fakeTransport({
        "library.overview": async (_, { wait }) => {
          const told = ++answer;
          await wait(1);
          return told;
        },
      }),
    );
    const queries = createQueries();
    const options = { queryKey: keyOf("library.overview", {}), queryFn: () => call("library.overview", {}) };
    const observer = new QueryObserver(queries, options);
    const stop = observer.subscribe(() => undefined);
    void refresh(queries, ["vectors"]);
    void refresh(queries, ["vectors"]);
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(2));
    stop();
  });

  it("that cannot bring an answer up to date are told once, and again after it worked", async () => {
    let fails = false;
    chooseTransport(
      fakeTransport({
        "library.overview": () => {
          if (fails) throw { code: "storage", message: "disk full" };
          return 1;
        },
      }),
    );
    const told: string[] = [];
    const queries = createQueries((error) => told.push(error.message));
    const again = () => refresh(queries, ["*"]);
    const observer = new QueryObserver(queries, queryOf("library.overview", {}));
    const stop = observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(1));
    fails = true;
    await again();
    await again();
    expect(told).toEqual(["disk full"]);
    expect(observer.getCurrentResult().data).toBe(1);
    fails = false;
    await again();
    fails = true;
    await again();
    expect(told).toEqual(["disk full", "disk full"]);
    stop();
  });

  it("refresh everything by the tag *", async () => {
    const queries = createQueries();
    queries.setQueryData(["echo", "default", {}], 1);
    await refresh(queries, ["unrelated"]);
    expect(queries.getQueryState(["echo", "default", {}])?.isInvalidated).toBe(false);
    await refresh(queries, ["*"]);
    expect(queries.getQueryState(["echo", "default", {}])?.isInvalidated).toBe(true);
  });
});
