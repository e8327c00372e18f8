// Answers of the engine, recorded over the sample library: `npm run record` writes them.

import type { Command, Input, Output } from "./client";
import { CONTEXT_BUDGET, LEG_DEPTH, SEARCH_DEFAULTS } from "./defaults";
import names from "./recorded/names.json";
import type { FakeCall, FakeHandler, FakeHandlers } from "./transport/fake";
import { commandTags, type Nothing, type Progress } from "./types";

/** An input that says only what differs from the usual. */
type Said<I> = { [K in keyof I]?: I[K] | Partial<I[K]> };
type Recorded<C extends Command> = { command: C; input: Said<Input<C>> } & (
  | { output: Output<C>; told?: Progress[] }
  | { error: { code: string; message: string } }
);

/** What the engine answered to a command. */
export type Recording = { [C in Command]: Recorded<C> }[Command];

/** What a search takes where it says nothing. */
export const SEARCHED = {
  ...SEARCH_DEFAULTS,
  mode: "hybrid" as const,
  structured: false,
  correct_spelling: true,
  thesaurus: true,
  counterparts: true,
  feedback: true,
  dedupe: true,
  rerank: false,
  listed: LEG_DEPTH,
};
/** What a question takes where it says nothing. */
const ASKED = {
  session: "",
  passages: 8,
  max_tokens: CONTEXT_BUDGET,
  min_chunks: 1,
  follow_up: true,
  readings: true,
  second_reading: false,
  record: true,
};
const ASSUMED: Partial<Record<Command, Record<string, unknown>>> = {
  "answer.ask": ASKED,
  search: SEARCHED,
  "search.record": SEARCHED,
  "chunk.preview": { chunks_only: false },
  "chunk.difference": { chunks_only: false },
};
/** A picture is drawn at any width; recorded lists are short. */
const IGNORED: readonly string[] = ["width", "listed"];
/** Lists that say something where they are empty. */
const TELLING: readonly string[] = ["beside"];

/** A value without what says nothing, its names in the order of the alphabet. */
function plain(value: unknown, assumed: Record<string, unknown> = {}): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each));
  if (typeof value !== "object" || value === null) return value;
  const said = Object.entries(value)
    .map(([name, each]) => [name, plain(each)] as const)
    .filter(([name, each]) => each !== null && each !== undefined && each !== assumed[name])
    .filter(
      ([name, each]) => !IGNORED.includes(name) && (TELLING.includes(name) || JSON.stringify(each) !== "[]"),
    )
    .filter(([, each]) => JSON.stringify(each) !== "{}");
  return Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1)));
}
const keyOf = (command: string, input: unknown) =>
  `${command} ${JSON.stringify(plain(input ?? {}, ASSUMED[command as Command]))}`;

const files = import.meta.glob<{ default: Recording[] }>("./recorded/*.ts", { eager: true });
const recordings = Object.values(files).flatMap((file) => file.default);
const byKey = new Map(recordings.map((each) => [keyOf(each.command, each.input), each]));

/** Calls that had no recorded answer: a test that makes one fails. */
export const missed: string[] = [];

/** What the engine answered to `command` with `input`. Throws what it refused, and `not_recorded` where it was never asked. */
export function recorded<C extends Command>(
  command: C,
  input: Partial<Input<C>>,
  call?: FakeCall,
): Output<C> {
  const found = byKey.get(keyOf(command, input)) as Recorded<C> | undefined;
  if (!found) {
    const line = JSON.stringify({ command, input: plain(input, ASSUMED[command]) });
    missed.push(line);
    throw { code: "not_recorded", message: `add ${line} to a list in ui/record and run \`npm run record\`` };
  }
  if ("error" in found) throw found.error;
  for (const progress of found.told ?? []) call?.tell(progress);
  return structuredClone(found.output);
}

/** What {@link recorded} gives, once everything that was told on the way is told again, one by one. */
export async function retold<C extends Command>(
  command: C,
  input: Partial<Input<C>>,
  call: FakeCall,
): Promise<Output<C>> {
  const told: Progress[] = [];
  const output = recorded(command, input, { ...call, tell: (progress) => told.push(progress) });
  for (const progress of told) {
    await call.wait(1);
    call.tell(progress);
  }
  return output;
}

/** Whether `command` was asked with `input`. */
export const isRecorded = <C extends Command>(command: C, input: Partial<Input<C>>): boolean =>
  byKey.has(keyOf(command, input));

/** All that was recorded of `command`, in the order of its list. */
export const everyRecorded = <C extends Command>(
  command: C,
): { input: Partial<Input<C>>; output: Output<C> }[] =>
  recordings.flatMap((each) =>
    each.command === command && "output" in each
      ? [structuredClone({ input: each.input as Partial<Input<C>>, output: each.output as Output<C> })]
      : [],
  );

/** The paragraph whose chunk `id` is. */
export const paragraphOf = (id: string): string | undefined =>
  Object.entries(names).find(([name, each]) => each === id && /^S[12]\.[^~]*$/.test(name))?.[0];

/** Whether something recorded is called `name`. */
export const isNamed = (name: string): boolean => name in names;

/** The id of a document, of a chunk by its document and place, or of the chunk of a paragraph. */
export function idOf<T extends string | number>(name: string): T {
  const found = (names as Record<string, string | number>)[name];
  if (found === undefined) throw new Error(`nothing recorded is called ${name}`);
  return found as T;
}

/** Nobody reads what a command gives that gives nothing. */
type Given<C extends Command> = Output<C> extends Nothing ? unknown : Output<C> | undefined;
type Answering = {
  [C in Command]?: (input: Input<C>, call: FakeCall) => Given<C> | Promise<Given<C>>;
} & { [own: `shell.${string}`]: FakeHandler };

/** Handlers that take and give what their commands do. */
export const answering = (handlers: Answering): FakeHandlers => handlers as FakeHandlers;

/** A handler for each command: what was recorded of it. */
export const handlers: FakeHandlers = Object.fromEntries(
  (Object.keys(commandTags) as Command[]).map((command) => [
    command,
    (input, call) => recorded(command, input, call),
  ]),
);
