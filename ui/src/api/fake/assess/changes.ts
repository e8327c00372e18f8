// Two reports of the assessment in memory side by side.

import { idOf } from "../../recording";
import type {
  ChangeKind,
  ComparedFigure,
  ComparedPair,
  ComparedPassage,
  ComparedWords,
  FigureRow,
  ReportColumn,
  ReportComparison,
  ReviewStatus,
} from "../../types";
import { ROWS } from "./rows";

/** Words in brackets are those that the other side lacks. */
const wordsOf = (text: string): ComparedWords[] =>
  text
    .split(/(\[[^\]]+\])/)
    .map((part) => ({ text: part.replace(/[[\]]/g, "").trim(), changed: part.startsWith("[") }))
    .filter((part) => part.text !== "");

const passageOf = (page: number, section: string, text: string): ComparedPassage => ({
  document_id: idOf<number>("northwind"),
  span: [1411, 2110],
  words: wordsOf(text),
  section: section.split(" › "),
  page,
  page_label: null,
});

type Told = [page: number, section: string, text: string];
const pairOf = (kind: ChangeKind, earlier: Told | null, later: Told | null): ComparedPair => ({
  kind,
  earlier: earlier && passageOf(...earlier),
  later: later && passageOf(...later),
});

const DUTY =
  "The duty stands in section 4 of the board’s terms of reference, which were last changed in May 2023.";
const PLAN: ComparedPair = pairOf(
  "reworded",
  [
    29,
    "Strategy › Transition plan",
    "The plan rests on [three] assumptions: connection dates as offered [by the network operator,] a contract round for offshore wind in each year, [and] a carbon price that does not fall below [£40] a [tonne.]",
  ],
  [
    34,
    "Strategy › Transition plan",
    "The plan rests on [four] assumptions: connection dates as offered [in December 2024,] a contract round for offshore wind in each year, a carbon price that does not fall below [£45] a [tonne, and the supply of installation vessels now under contract.]",
  ],
);
const CAPITAL = pairOf(
  "same",
  [
    88,
    "Metrics › Capital",
    "Scope 1 emissions are measured by the operational control approach at all sites.",
  ],
  [
    91,
    "Metrics › Capital",
    "Scope 1 emissions are measured by the operational control approach at all sites.",
  ],
);

/** What became of each requirement; the same words for those that are not named. */
const CHANGES: Record<string, [ChangeKind, ComparedPair[]]> = {
  "S2.6(a)(i)": [
    "moved",
    [pairOf("moved", [12, "Governance › Board and committees", DUTY], [9, "Governance › The board", DUTY])],
  ],
  "S2.6(a)(iii)": [
    "new",
    [
      pairOf("new", null, [
        21,
        "Governance › How the board is informed",
        "The committee is informed about climate each quarter by the head of risk.",
      ]),
    ],
  ],
  "S2.14(a)(iv)": ["reworded", [PLAN]],
  "S2.14(b)": [
    "gone",
    [
      pairOf(
        "gone",
        [
          44,
          "Strategy › Resources",
          "The plan is paid for from a budget of its own, which the board sets each autumn.",
        ],
        null,
      ),
    ],
  ],
  "S2.14(c)": ["none", []],
  "IF-EU-110a.1": ["restated", [CAPITAL]],
};

const figureOf = (label: string, year: number, printed: string): FigureRow => ({
  id: year,
  document_id: idOf<number>("northwind"),
  document: "Northwind Energy plc: climate report",
  document_year: 2024,
  report_id: "northwind-2024",
  label: [label],
  column: "",
  above: [],
  year,
  part: null,
  printed,
  unit: "t CO₂e",
  measure: "mass",
  per: false,
  value: Number(printed.replaceAll(",", "")),
  normal: Number(printed.replaceAll(",", "")),
  status: "actual",
  origin: "table",
  span: [1411, 1420],
  page: 91,
  sheet: null,
  cells: null,
});

const figures = (): ComparedFigure[] => [
  {
    names: ["Gross global Scope 1 emissions"],
    earlier: figureOf("Gross global Scope 1 emissions", 2023, "1,341,000"),
    again: figureOf("Gross global Scope 1 emissions", 2023, "1,352,000"),
    later: figureOf("Gross global Scope 1 emissions", 2024, "1,286,000"),
    agreement: "differs",
  },
  {
    names: ["of which generation"],
    earlier: figureOf("of which generation", 2023, "1,170,000"),
    again: figureOf("of which generation", 2023, "1,170,000"),
    later: figureOf("of which generation", 2024, "1,092,000"),
    agreement: "agrees",
  },
];

/** The reports `earlier` and `later`, with what `statusIn` says of decisions. */
export function comparedOf(
  columns: readonly ReportColumn[],
  earlier: string,
  later: string,
  statusIn: (requirement: string, report: string) => ReviewStatus,
): ReportComparison {
  const [first, second] = [earlier, later].map((id) => columns.find(({ report_id }) => report_id === id));
  if (!first || !second) throw { code: "not_found", message: "the assessment has no such report" };
  const issuers = first.issuer !== second.issuer;
  return {
    compared_as: issuers ? "issuers" : first.year === second.year ? "versions" : "years",
    earlier: first,
    later: second,
    rows: ROWS,
    changes: ROWS.flatMap(({ id, requirement }, row) => {
      if (!requirement || id === null) return [];
      const [kind, pairs] = CHANGES[id] ?? ["same", [CAPITAL]];
      const decided = { earlier: statusIn(id, earlier), later: statusIn(id, later) };
      return {
        row,
        kind,
        pairs,
        figures: kind === "restated" ? figures() : [],
        nearest:
          kind === "gone"
            ? passageOf(41, "Strategy", "How activities are paid for is left to the divisions.")
            : null,
        ...decided,
        carried: !issuers && decided.earlier !== "open" && decided.later === "open",
      };
    }),
    waiting: 0,
  };
}
