// The kinds of sources that ship.

import type { FakeHandlers } from "../transport/fake";
import type { SourceTypeView, StandardView } from "../types";

const standard = (short: string, of: Partial<StandardView> = {}): StandardView => ({
  short,
  body: short,
  outline: "paragraphs",
  example: `${short}.1`,
  editions: false,
  copies: false,
  counterparts: false,
  ...of,
});

const kind = (
  [name, label, about, mark]: [string, string, string, string],
  of: Partial<SourceTypeView>,
): SourceTypeView => ({
  name,
  label,
  about,
  mark,
  strategy: name,
  corpus: name,
  nature: "document",
  standard: null,
  ships: null,
  allows: ["share", "remote", "fill"],
  filters: [],
  ...of,
});

const shipped = (ships: string, of: StandardView): Partial<SourceTypeView> => ({
  nature: "standard",
  standard: of,
  ships,
  strategy: ships,
  allows: ["review", "share", "remote"],
});

const ifrs = (short: string, editions: boolean) =>
  standard(short, { body: `IFRS ${short}`, editions, copies: true, counterparts: true });

export const sourceTypes: readonly SourceTypeView[] = [
  kind(["ifrs_s1", "IFRS S1", "General requirements", "S1"], shipped("ifrs", ifrs("S1", false))),
  kind(["ifrs_s2", "IFRS S2", "Climate-related disclosures", "S2"], shipped("ifrs", ifrs("S2", true))),
  kind(
    ["sasb", "SASB", "Industry standards", "SB"],
    shipped("sasb", standard("SASB", { outline: "topics", example: "EM-EP-110a.1" })),
  ),
  kind(["report", "Reports", "Reports", "RP"], {
    nature: "report",
    allows: ["evidence", "share", "remote", "fill"],
  }),
  kind(["docs", "Documentation", "Documents", "DC"], {}),
  kind(["text", "Text", "Text", "TX"], { strategy: "recursive" }),
  kind(["licensed", "Licensed copies", "Licensed text", "LI"], {
    nature: "licensed_copy",
    strategy: "ifrs",
    allows: [],
  }),
];

export const handlers: FakeHandlers = { "source_type.list": () => [...sourceTypes] };
