// What the screen is set to, and how that stands in the address.

import type { ParamView, StrategyView } from "@/api/types";
import type { Side } from "@/parts/Letter";
import type { Value } from "@/parts/strategy";
import { type Range, WARNINGS, type Warning } from "./cut";

/** A strategy with the values that differ from its defaults. */
export type Config = { strategy: string; values: Record<string, Value> };

/** How the list of chunks is ordered. */
export type Order = "position" | "longest" | "shortest";

/** What of the chunks is listed. */
export type Only = "all" | "warnings" | Warning;

/** How the document is shown: its text, the pages of its file, or its chunks by meaning. */
export type Show = "text" | "page" | "map";

/** Everything a person would want back. */
export type Lab = {
  /** Row id of the document. */
  document: number | undefined;
  /** A file of this machine instead. */
  path: string | undefined;
  /** Whether a text given by hand is cut; the text itself stays out of the address. */
  text: boolean;
  /** Chunk id of a link; answered by selecting its range. */
  chunk: string | undefined;
  /** Range of the selected chunk. */
  at: Range | undefined;
  /** Words of the document that a link marks, such as those of a quote. */
  mark: Range | undefined;
  /** The version of the text that the link was made from; nothing means the text of today. */
  version: string | undefined;
  /** The configuration that is worked on. */
  side: Side;
  compare: boolean;
  /** Whether the document alone is shown, without what cuts it. */
  read: boolean;
  /** Nothing means the way the corpus itself is cut. */
  a: Config | undefined;
  b: Config | undefined;
  order: Order;
  only: Only;
  show: Show;
  /** Physical page on screen; nothing means that it follows the selection. */
  page: number | undefined;
  /** Whether the blocks of the page and their order are drawn over it. */
  blocks: boolean;
};

const SHOWS: readonly Show[] = ["text", "page", "map"];
const ORDERS: readonly Order[] = ["position", "longest", "shortest"];
const ONLY: readonly Only[] = ["all", "warnings", ...WARNINGS];

const whole = (text: string | null | undefined) =>
  text && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** `120-240`. */
function rangeIn(text: string | null): Range | undefined {
  const [from, to] = (text ?? "").split("-").map(whole);
  return from !== undefined && to !== undefined && from <= to ? [from, to] : undefined;
}

/** `report~target_tokens~400~keep_tables~true`. */
export function configText(config: Config | undefined): string | undefined {
  if (!config) return undefined;
  const pairs = Object.entries(config.values).flatMap(([name, value]) => [name, String(value)]);
  return [config.strategy, ...pairs]
    .map((part) => part.replaceAll("%", "%25").replaceAll("~", "%7E"))
    .join("~");
}

/** Reads what {@link configText} wrote. */
export function configFrom(text: string | null): Config | undefined {
  if (!text) return undefined;
  const [strategy = "", ...rest] = text
    .split("~")
    .map((part) => part.replaceAll("%7E", "~").replaceAll("%25", "%"));
  const values: Record<string, Value> = {};
  for (let index = 0; index + 1 < rest.length; index += 2) {
    const name = rest[index] as string;
    const value = rest[index + 1] as string;
    values[name] = value === "true" ? true : value === "false" ? false : (whole(value) ?? value);
  }
  return { strategy, values };
}

/** Reads the state from the query of the address; what makes no sense is left at its default. */
export function fromAddress(query: URLSearchParams): Lab {
  return {
    document: whole(query.get("document")),
    path: query.get("path") ?? undefined,
    text: query.get("text") === "1",
    chunk: query.get("chunk") ?? undefined,
    at: rangeIn(query.get("at")),
    mark: rangeIn(query.get("mark")),
    version: query.get("version") || undefined,
    side: query.get("side") === "b" ? "b" : "a",
    compare: query.get("view") === "compare",
    read: query.get("view") === "read",
    a: configFrom(query.get("a")),
    b: configFrom(query.get("b")),
    order: ORDERS.find((each) => each === query.get("order")) ?? "position",
    only: ONLY.find((each) => each === query.get("only")) ?? "all",
    show: SHOWS.find((each) => each === query.get("show")) ?? "text",
    page: whole(query.get("page")) || undefined,
    blocks: query.get("blocks") === "1",
  };
}

/** The state as values for the query of the address; what stands at its default is left out. */
export function toAddress(lab: Lab): Record<string, string | undefined> {
  return {
    document: lab.document?.toString(),
    path: lab.path,
    text: lab.text ? "1" : undefined,
    chunk: lab.chunk,
    at: lab.at?.join("-"),
    mark: lab.mark?.join("-"),
    version: lab.version,
    side: lab.side === "a" ? undefined : lab.side,
    view: lab.compare ? "compare" : lab.read ? "read" : undefined,
    a: configText(lab.a),
    b: configText(lab.b),
    order: lab.order === "position" ? undefined : lab.order,
    only: lab.only === "all" ? undefined : lab.only,
    show: lab.show === "text" ? undefined : lab.show,
    page: lab.page?.toString(),
    blocks: lab.blocks ? "1" : undefined,
  };
}

/** Whether the parameter takes the value. */
export function takes(param: ParamView, value: Value | undefined): value is Value {
  if (param.kind === "integer")
    return typeof value === "number" && value >= (param.min ?? value) && value <= (param.max ?? value);
  if (param.kind === "switch") return typeof value === "boolean";
  if (param.kind === "choice") return typeof value === "string" && param.options.includes(value);
  return typeof value === "string";
}

/** Every value of a configuration, with the strategy's defaults for what it leaves out. */
export function valuesOf(strategy: StrategyView, given: Record<string, unknown>): Record<string, Value> {
  return Object.fromEntries(
    strategy.params.map((param) => {
      const found = given[param.name] as Value | undefined;
      // The address does not tell the text `12` from the number.
      const value = param.kind === "text" && found !== undefined ? String(found) : found;
      return [param.name, takes(param, value) ? value : param.default];
    }),
  );
}

/** A configuration from every value: only those that differ from the strategy's defaults are kept. */
export function configOf(strategy: StrategyView, values: Record<string, Value>): Config {
  const own = strategy.params.filter(
    (param) => values[param.name] !== undefined && values[param.name] !== param.default,
  );
  return {
    strategy: strategy.name,
    values: Object.fromEntries(own.map(({ name }) => [name, values[name] as Value])),
  };
}
