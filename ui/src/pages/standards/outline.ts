// The tree of the standards as the screen walks it: nested, filtered, and in reading order.

import type { NodeKind, ReviewStatus, TreeNode as Row, StandardPage } from "@/api/types";
import { standardOf, standards } from "@/state/source-types";
import { t } from "@/text";
import { itemsOf, metricOf } from "./items";

/** A body of standards by its short name, such as `S2`. */
export type Body = string;

/** A node of the tree. `id` is unique among nodes; `target` is what it opens, which headings do not have. */
export type Node = {
  id: string;
  target: string | undefined;
  number: string;
  label: string;
  kind: NodeKind;
  requirement: boolean;
  sourceType: string;
  body: Body;
  parent: Node | undefined;
  children: readonly Node[];
};

/** The tree with its nodes in reading order and by the id that they open. */
export type Outline = {
  roots: readonly Node[];
  order: readonly Node[];
  byTarget: ReadonlyMap<string, Node>;
};

const bodyOf = (sourceType: string): Body => standardOf(sourceType)?.short ?? sourceType;

/** Whether a node is of a standard whose parts are topics with metrics. */
export const hasTopics = ({ sourceType }: Node): boolean => standardOf(sourceType)?.outline === "topics";

/** The body of standards that an id names as a whole (`S1`, `IFRS S2`, `sasb`), with the first paragraph to open of it. */
export function wholeBody(outline: Outline, id: string): { body: Body; first: string } | undefined {
  const name = id
    .trim()
    .toUpperCase()
    .replace(/^IFRS[\s-]*/, "");
  const first = outline.order.find((node) => node.target !== undefined && node.body.toUpperCase() === name);
  return first?.target === undefined ? undefined : { body: first.body, first: first.target };
}

/** Nests the rows that the engine gives. */
export function toOutline(rows: readonly Row[]): Outline {
  type Open = Omit<Node, "children" | "parent"> & { parent: Open | undefined; children: Open[] };
  const roots: Open[] = [];
  const order: Open[] = [];
  const byTarget = new Map<string, Open>();
  for (const [index, row] of rows.entries()) {
    const parent = row.parent === null ? undefined : order[row.parent];
    const node: Open = {
      id: row.id ?? `row-${index}`,
      target: row.id ?? undefined,
      number: row.number,
      label: row.label,
      kind: row.kind,
      requirement: row.requirement,
      sourceType: row.source_type,
      body: bodyOf(row.source_type),
      parent,
      children: [],
    };
    order.push(node);
    (parent?.children ?? roots).push(node);
    if (node.target !== undefined) byTarget.set(node.target, node);
  }
  return { roots, order, byTarget };
}

/** Nodes around `node`, from the outermost. */
export function ancestors(node: Node | undefined): Node[] {
  const found: Node[] = [];
  for (let each = node?.parent; each; each = each.parent) found.unshift(each);
  return found;
}

/** Statuses of the report under review, by paragraph. */
export type Statuses = ReadonlyMap<string, ReviewStatus>;

/** What the tree is narrowed to. */
export type Narrowing = { words: string; body: Body | "all"; status: ReviewStatus | "any" };

/** A narrowed tree. */
export type Narrowed = {
  roots: readonly Node[];
  /** Branches to open so that every match is in sight. */
  open: ReadonlySet<string>;
  matches: number;
  /** Matches in and below each branch. */
  counts: ReadonlyMap<string, number>;
};

/** The words that a filter looks for. */
export const filterWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");

/** Whether what was found about a node is `status`; that nobody decided is said of requirements only. */
export function hasStatus(node: Node, status: Narrowing["status"], statuses: Statuses): boolean {
  if (status === "any") return true;
  if (node.target === undefined) return false;
  return (
    (statuses.get(node.target) ?? "open") === status &&
    (status !== "open" || node.requirement || statuses.has(node.target))
  );
}

/** Metrics with an item of this status that the tree does not show, such as one of what counts. */
function holdersOf(outline: Outline, status: Narrowing["status"], statuses: Statuses): ReadonlySet<string> {
  const hidden = [...statuses].filter(([id, found]) => found === status && !outline.byTarget.has(id));
  return new Set(hidden.map(([id]) => metricOf(id)).filter((code) => code !== undefined));
}

/** Keeps what matches with everything around it; a match without matches inside keeps its whole branch, closed. */
export function narrow(outline: Outline, narrowing: Narrowing, statuses: Statuses): Narrowed {
  const words = filterWords(narrowing.words);
  const open = new Set<string>();
  const counts = new Map<string, number>();
  const holders = holdersOf(outline, narrowing.status, statuses);
  const matches = (node: Node) =>
    node.target !== undefined &&
    (hasStatus(node, narrowing.status, statuses) || holders.has(node.target)) &&
    words.every((word) => `${node.target} ${node.label}`.toLowerCase().includes(word));
  const keep = (node: Node): Node | undefined => {
    const children = node.children.map(keep).filter((child) => child !== undefined);
    const own = matches(node);
    const inside = children.reduce((sum, child) => sum + (counts.get(child.id) ?? 0), 0);
    if (!own && inside === 0) return undefined;
    if (inside > 0) open.add(node.id);
    counts.set(node.id, inside + Number(own));
    return { ...node, children: inside > 0 ? children : node.children };
  };
  const roots = outline.roots
    .filter((root) => narrowing.body === "all" || root.body === narrowing.body)
    .map(keep)
    .filter((root) => root !== undefined);
  const total = roots.reduce((sum, root) => sum + (counts.get(root.id) ?? 0), 0);
  return { roots, open, matches: total, counts };
}

/** What a review of `node` belongs to: the standard, or the industry inside SASB. */
export function scopeOf(node: Node): Node {
  const around = [...ancestors(node), node];
  return around.find((each) => each.kind === "industry") ?? around[0] ?? node;
}

/** Nodes in and below `node`, in reading order. */
export function within(node: Node): Node[] {
  const found: Node[] = [];
  const walk = (each: Node) => {
    found.push(each);
    each.children.forEach(walk);
  };
  walk(node);
  return found;
}

/** How far the review of a scope has come. */
export type Progress = Record<Exclude<ReviewStatus, "open">, number> & { done: number; all: number };

/** Counts the requirements in and below `scope` by status. */
export function progress(scope: Node, statuses: Statuses): Progress {
  const counted = { met: 0, partly: 0, gap: 0, not_applicable: 0, done: 0, all: 0 };
  for (const node of within(scope)) {
    if (!node.requirement || node.target === undefined) continue;
    counted.all += 1;
    const status = statuses.get(node.target) ?? "open";
    if (status === "open") continue;
    counted[status] += 1;
    counted.done += 1;
  }
  return counted;
}

/** The next requirement, or the one before, that nobody has decided on; the search goes round its scope. */
export function openItem(outline: Outline, from: string, statuses: Statuses, step: 1 | -1): Node | undefined {
  const start = outline.byTarget.get(from);
  if (!start) return undefined;
  const order = within(scopeOf(start));
  const at = order.indexOf(start);
  for (let away = 1; away < order.length; away += 1) {
    const node = order[(at + step * away + order.length * away) % order.length];
    const undecided = node?.target !== undefined && (statuses.get(node.target) ?? "open") === "open";
    if (node?.requirement && undecided) return node;
  }
  return undefined;
}

/** The node that can be opened beside `from` in reading order. */
export function neighbour(outline: Outline, from: string, step: 1 | -1): string | undefined {
  const node = outline.byTarget.get(from);
  if (!node) return undefined;
  for (let at = outline.order.indexOf(node) + step; outline.order[at]; at += step) {
    const target = outline.order[at]?.target;
    if (target !== undefined) return target;
  }
  return undefined;
}

const letters = (id: string) => id.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Single edits between two short texts (Levenshtein distance). */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

const encloses = (id: string, written: string) =>
  written.startsWith(id.toLowerCase()) && /^[(.-]/.test(written.slice(id.length));

/** Known ids that `wanted` may have meant, the likeliest first: what lies around it, then what is written alike. */
export function nearest(outline: Outline, wanted: string, most = 6): Node[] {
  const written = wanted.toLowerCase().replace(/^\s*ifrs\s*|\s/g, "");
  const asked = letters(written);
  const all = [...outline.byTarget].map(([id, node]) => ({ id, node, plain: letters(id) }));
  const same = all.filter((each) => each.plain === asked);
  const around = all
    .filter((each) => each.plain !== asked && encloses(each.id, written))
    .sort((a, b) => b.plain.length - a.plain.length)
    .slice(0, 2);
  const alike = all
    .map((each) => ({ ...each, far: edits(each.plain, asked) }))
    .filter((each) => each.far <= Math.max(2, Math.ceil(asked.length / 3)))
    .sort((a, b) => a.far - b.far);
  return [...new Set([...same, ...around, ...alike].map((each) => each.node))].slice(0, most);
}

/** How a document cites a part of the standards. */
export function citation(node: Node): string {
  const target = node.target ?? node.id;
  const standard = standardOf(node.sourceType)?.body ?? node.body;
  if (hasTopics(node)) {
    const industry = [...ancestors(node), node].find((each) => each.kind === "industry");
    const of = industry ? `${industry.label} (${industry.target})` : "";
    return [standard, of, node === industry ? "" : `${target} ${node.label}`].filter(Boolean).join(", ");
  }
  if (node.kind === "term") return `${standard}, Appendix A, “${node.label}”`;
  return `${standard}, paragraph ${numberOf(target)}`;
}

/** An id without its standard, as a person says it inside one: `14(a)`, `primary_users`; a code stays whole. */
export const shortId = (id: string): string => {
  const number = numberOf(id);
  return (number === id ? id : number.replace(/^A\./, "")).replace(OF_METRIC, " ");
};

/** An id without the short name of its standard. */
function numberOf(id: string): string {
  const own = standards().find(({ short }) => id.startsWith(`${short}.`));
  return own ? id.slice(own.short.length + 1) : id;
}

/** What stands between the code of a metric and the words of its item. */
const OF_METRIC = /(?<=^[A-Z]{2}-[A-Z]{2}-\w+\.\w+)(?:\.\w+)?\.(?=[^.]*$)/;

/** What `id` is called beside its page: the item of a metric by its number, everything else by its short id. */
export function spokenId(page: StandardPage, id: string): string {
  const item = page.metrics.flatMap(itemsOf).find((each) => each.id === id);
  return item && page.kind === "metric"
    ? t("standards.requirement.item", { number: item.number })
    : shortId(id);
}
