// The door of a browser: the routes of a server, with the token of this tab.

import { t } from "@/text";
import type { DragEvent, EngineEvent, Envelope, Stop, Transport } from "../transport";
import { commandRoutes, commandTags, type Progress } from "../types";
import { dropped, type Files, filesOf, saved } from "./files";
import { sentEvents } from "./sent-events";

type Route = { method: "GET" | "POST" | "DELETE"; path: string; scope: Scope };
type Scope = "read" | "write" | "spend";

const ROUTES: Readonly<Record<string, Route>> = commandRoutes;
const KINDS: Readonly<Record<string, { kind: string }>> = commandTags;
/** Scopes, each with those before it. */
const SCOPES: readonly Scope[] = ["read", "write", "spend"];
/** What a browser does itself. */
const OWN: ReadonlySet<string> = new Set([
  "shell.pick_files",
  "shell.pick_folders",
  "shell.save_text",
  "shell.save_bytes",
  "shell.link",
  "shell.sign_out",
]);

/** Where this tab keeps its token: no other tab has it, and it goes with the tab. */
const TOKEN = "sibyl.token";
/** Milliseconds before a connection that broke is made again. */
const AGAIN = 1000;
/** Connections that may break one after the other before a stream is given up. */
const MOST_BREAKS = 5;

/** Commands that take the files which they name: the server has them no more afterwards. */
const TAKES: ReadonlySet<string> = new Set(["ingest.start", "gold.import", "eval.run_import"]);
/** How often a file is sent where the server is busy. */
const MOST_SENT = 5;

/** What a token may do, and in which workspace. */
export type Session = { scope: Scope; workspace: string; version: string };

/** A file as it is handed over: its bytes in Base64. */
type Content = { content: string; media_type: string };

const bytesOf = (content = ""): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));

const cancelled = { code: "cancelled", message: "cancelled" };

/** What went wrong, as calls throw it. */
async function refusal(response: Response): Promise<{ code: string; message: string }> {
  const told: unknown = await response.json().catch(() => undefined);
  const error = (told as { error?: { code?: unknown; message?: unknown } } | undefined)?.error;
  return {
    code: String(error?.code ?? "transport"),
    message: String(error?.message ?? `${response.status} ${response.statusText}`),
  };
}

async function ask(token: string, path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...options,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      headers: { ...options.headers, authorization: `Bearer ${token}` },
    });
  } catch (thrown) {
    if (options.signal?.aborted) throw cancelled;
    throw { code: "transport", message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** The token of this tab, where it has signed in. */
export const keptToken = (): string | undefined => sessionStorage.getItem(TOKEN) ?? undefined;

/** Signs in: what `token` may do. Throws `{code, message}`, with `unauthorised` where the server does not know it. */
export async function signIn(token: string): Promise<Session> {
  // Only what can stand in a header is sent at all.
  if (!/^[\x21-\x7e]+$/.test(token)) throw { code: "unauthorised", message: "" };
  const session: Session = await (await ask(token, "/api/v1/session")).json();
  sessionStorage.setItem(TOKEN, token);
  return session;
}

/** Forgets the token and asks for one again. */
export function signOut(): void {
  sessionStorage.removeItem(TOKEN);
  window.location.reload();
}

/** Sends a file. Gives the id that it is kept under. */
async function send(token: string, file: File, signal: AbortSignal): Promise<string> {
  for (let sent = 1; ; sent += 1)
    try {
      const response = await ask(token, "/api/v1/files", {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: file,
        signal,
      });
      return ((await response.json()) as { file: string }).file;
    } catch (thrown) {
      if (signal.aborted) throw cancelled;
      const { code } = thrown as { code?: unknown };
      if ((code !== "too_many_requests" && code !== "busy") || sent === MOST_SENT) throw thrown;
      await new Promise((next) => setTimeout(next, AGAIN));
    }
}

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A request of a command: fields in the path, then in the query or the body. */
export function requestOf(command: string, input: unknown): { path: string; options: RequestInit } {
  const route = ROUTES[command];
  if (!route) throw { code: "forbidden", message: t("sign_in.not_served") };
  const fields: Record<string, unknown> = { ...(input as Record<string, unknown>) };
  let path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(written(fields[name] ?? ""));
    delete fields[name];
    return value;
  });
  if (route.method === "POST")
    return {
      path,
      options: {
        method: route.method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(fields),
      },
    };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) query.append(name, written(each));
  if (query.size > 0) path += `?${query}`;
  return { path, options: { method: route.method } };
}

/** A call that tells how far it has come. A connection that breaks is made again, behind what was told last. */
async function follow(
  token: string,
  { path, options }: ReturnType<typeof requestOf>,
  signal: AbortSignal,
  onProgress: Envelope["onProgress"],
): Promise<unknown> {
  let last: string | undefined;
  let stream: string | null = null;
  const reading = new AbortController();
  // Leaving alone stops nothing: the server goes on for whoever comes back. What has not named itself yet is stopped
  // as soon as it does.
  const stop = () => {
    if (stream === null) return;
    void ask(token, `/api/v1/streams/${stream}`, { method: "DELETE", keepalive: true }).catch(
      () => undefined,
    );
    reading.abort();
  };
  const given = new Promise<never>((_, reject) => {
    const give = () => {
      stop();
      reject(cancelled);
    };
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
  given.catch(() => undefined);
  for (let breaks = 0; ; breaks += 1) {
    try {
      const asked = ask(token, path, {
        ...options,
        signal: reading.signal,
        headers: {
          ...options.headers,
          accept: "text/event-stream",
          ...(last === undefined ? {} : { "last-event-id": last }),
        },
      }).then((response) => {
        stream = response.headers.get("x-stream-id");
        if (signal.aborted) stop();
        return response;
      });
      for await (const event of sentEvents(await Promise.race([asked, given]))) {
        last = event.id ?? last;
        breaks = 0;
        const data: unknown = JSON.parse(event.data);
        if (event.event === "progress") onProgress?.(data as Progress);
        else if (event.event === "error") throw data;
        else if (event.event === "answer") return data;
      }
    } catch (thrown) {
      if (signal.aborted) throw cancelled;
      // A stream that breaks off throws no error of the server's.
      const broken =
        thrown instanceof TypeError || (thrown as { code?: unknown } | undefined)?.code === "transport";
      if (!broken || last === undefined || breaks >= MOST_BREAKS) throw thrown;
    }
    if (signal.aborted) throw cancelled;
    if (last === undefined || breaks >= MOST_BREAKS) {
      throw { code: "transport", message: t("sign_in.broken") };
    }
    await Promise.race([new Promise((next) => setTimeout(next, AGAIN)), given]);
  }
}

/** Tells `listeners` what happens in the library, as long as there are any. */
function happenings(token: string): (listener: (event: EngineEvent) => void) => Stop {
  const listeners = new Set<(event: EngineEvent) => void>();
  const tell = (event: EngineEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  let control: AbortController | undefined;
  const listen = async (signal: AbortSignal) => {
    for (let first = true; !signal.aborted; first = false) {
      try {
        const response = await ask(token, "/api/v1/events", { signal });
        // Nobody knows what happened meanwhile.
        if (!first) tell({ tags: ["*"] });
        for await (const { event, data } of sentEvents(response))
          if (event === "told") tell(JSON.parse(data) as EngineEvent);
      } catch (thrown) {
        if ((thrown as { code?: unknown } | undefined)?.code === "unauthorised") return signOut();
      }
      await new Promise((next) => setTimeout(next, AGAIN));
    }
  };
  return (listener) => {
    listeners.add(listener);
    if (!control) {
      control = new AbortController();
      void listen(control.signal);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      control?.abort();
      control = undefined;
    };
  };
}

/** The transport of a browser that has signed in. */
export function httpTransport(token: string, session: Session): Transport {
  const files: Files = filesOf();
  const running = new Map<string, AbortController>();
  const own = async (command: string, input: unknown): Promise<unknown> => {
    const { name = "", text = "", ...file } = input as { name?: string; text?: string } & Partial<Content>;
    switch (command) {
      case "shell.pick_files":
        return { paths: await files.pick() };
      case "shell.pick_folders":
        return { paths: await files.pickFolder() };
      case "shell.save_text":
        return { paths: [saved(name, text)] };
      case "shell.save_bytes":
        return { paths: [saved(name, bytesOf(file.content), file.media_type)] };
      case "shell.sign_out":
        signOut();
        return { paths: [] };
      case "shell.link":
        return null;
      default:
        throw { code: "forbidden", message: t("sign_in.not_served") };
    }
  };
  return {
    workspace: session.workspace,
    may: (command) => {
      const scope = ROUTES[command]?.scope;
      return OWN.has(command) || (!!scope && SCOPES.indexOf(scope) <= SCOPES.indexOf(session.scope));
    },
    call: async (command, input, { requestId, onProgress }) => {
      if (command.startsWith("shell.")) return own(command, input);
      const control = new AbortController();
      const { signal } = control;
      running.set(requestId, control);
      const run = async () => {
        const sent = await files.sent(command, input, (file) => send(token, file, signal));
        const request = requestOf(command, sent);
        if (signal.aborted) throw cancelled;
        if (KINDS[command]?.kind === "stream") return await follow(token, request, signal, onProgress);
        return await (await ask(token, request.path, { ...request.options, signal })).json();
      };
      try {
        const answer = await run().catch((thrown) => {
          // Files that were sent long ago are gone, or an import took them.
          const gone = (thrown as { code?: unknown } | undefined)?.code === "not_found";
          if (gone && !signal.aborted && files.forget(input)) return run();
          throw thrown;
        });
        if (TAKES.has(command)) files.forget(input);
        return answer;
      } catch (thrown) {
        if (signal.aborted) throw cancelled;
        if ((thrown as { code?: unknown } | undefined)?.code === "unauthorised") signOut();
        throw thrown;
      } finally {
        running.delete(requestId);
      }
    },
    cancel: (requestId) => running.get(requestId)?.abort(),
    onEvent: happenings(token),
    onDrag: (listener: (event: DragEvent) => void) => dropped(files, listener),
  };
}
