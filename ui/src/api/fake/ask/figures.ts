// Answers in figures: a cell of a table, two cells and what follows from them, a number in a sentence, and one that is missing.

import type { AnswerPassage, FigureAnswer, FigureElsewhere, FigureShown, FigureTable } from "../../types";
import type { Written } from "./answers";
import { passage, report } from "./passage";

/** What is told of a question that figures answer. */
type Told = {
  figures: FigureAnswer;
  passages: AnswerPassage[];
  written: Written[];
  /** Why none of them is the one; nothing where one is. */
  remark?: string;
};

const HEAD = ["Emissions (t CO₂e)", "2024", "2023", "Base year 2019"];
const ROWS = [
  ["Scope 1: gas plants", "2,534,000", "2,890,000", "4,389,000"],
  ["Scope 1: insulating gas (SF₆)", "9,000", "10,000", "14,000"],
  ["Scope 1: vehicles and buildings", "5,000", "5,000", "7,000"],
  ["Scope 1, total", "2,548,000", "2,905,000", "4,410,000"],
  ["Scope 2, location-based", "61,000", "64,000", "88,000"],
  ["Scope 2, market-based", "18,000", "20,000", "35,000"],
  ["Scopes 1 and 2, market-based", "2,566,000", "2,925,000", "4,445,000"],
];
const TOTAL = 3;

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const totals = line(ROWS[TOTAL] ?? []);

/** The passage of a chosen figure: each has one of its own. */
const emissions = (number: number): AnswerPassage =>
  passage(number, {
    ...report("Northwind", 84),
    document_id: 5000,
    chunk_id: "c4a9000000000003",
    section: ["Metrics", "Greenhouse gas emissions"],
    text: [line(HEAD), "|---|---:|---:|---:|", ...ROWS.map(line)].join("\n"),
    relevance: 0.97,
  });

const staff = passage(1, {
  ...report("Northwind", 12),
  document_id: 5000,
  section: ["People"],
  text: "Northwind employed 4,120 people at the end of 2024, of whom 31% were women.",
  relevance: 0.94,
});

/** The table with columns of the row of totals marked, cut as the engine cuts it. */
const table = (...marked: number[]): FigureTable => ({
  citation: 1,
  head: HEAD,
  rows: ROWS.slice(0, 6).map((cells, at) => ({
    rows_before: 0,
    cells,
    marked: at === TOTAL ? marked : [],
  })),
  rows_after: ROWS.length - 6,
  columns_left_out: 0,
});

const total = (citation: number, column: number): FigureShown => ({
  printed: ROWS[TOTAL]?.[column] ?? "",
  unit: "t CO₂e",
  name: "Scope 1, total",
  period: HEAD[column] ?? "",
  status: "actual",
  origin: "table",
  citation,
});

const said = ({ name, period, printed, unit }: FigureShown): string =>
  `${name}, ${period}: ${printed} ${unit}`;

const elsewhere = (given: Partial<FigureElsewhere>): FigureElsewhere => ({
  document_id: 5000,
  title: "Northwind 2024",
  page: 84,
  span: [1200, 1209],
  name: "Scope 1, total",
  period: "2023",
  printed: "2,905,000",
  unit: "t CO₂e",
  origin: "table",
  ...given,
});

const passedOver: FigureAnswer["passed_over"] = [
  {
    figure: elsewhere({
      name: "Scopes 1 and 2, market-based",
      printed: "2,925,000",
      span: [1400, 1409],
    }),
    other: "scope",
  },
  {
    figure: elsewhere({
      title: "Northwind 2022",
      document_id: 5002,
      name: "Scope 1 target",
      printed: "2,950,000",
      page: 31,
    }),
    other: "status",
  },
];

const NOTHING: Omit<FigureAnswer, "figures" | "tables"> = { working: null, also: [], passed_over: [] };

function value(): Told {
  const figure = total(1, 2);
  return {
    passages: [emissions(1)],
    written: [{ text: said(figure), from: [[1, totals]] }],
    figures: {
      ...NOTHING,
      figures: [figure],
      tables: [table(2)],
      also: [
        {
          figure: elsewhere({ title: "Northwind 2023", document_id: 5001, page: 79 }),
          agreement: "agrees",
        },
        {
          figure: elsewhere({
            page: 4,
            name: "Direct emissions were 2.9 Mt, a third less than in the base year.",
            printed: "2.9",
            unit: "Mt",
            origin: "sentence",
            span: [310, 313],
          }),
          agreement: "rounded",
        },
        {
          figure: elsewhere({
            title: "Northwind tables",
            document_id: 5003,
            page: null,
            printed: "2,903,000",
          }),
          agreement: "differs",
        },
      ],
      passed_over: passedOver,
    },
  };
}

function change(): Told {
  const figures = [total(1, 1), total(2, 2)];
  const working = "2,905,000 − 2,548,000 = 357,000 t less (−12.3%)";
  return {
    passages: [emissions(1), emissions(2)],
    written: [
      ...figures.map((figure, at): Written => ({ text: said(figure), from: [[at + 1, totals]] })),
      {
        text: working,
        from: [
          [1, totals],
          [2, totals],
        ],
        check: "supported",
      },
    ],
    figures: { ...NOTHING, figures, tables: [table(1, 2)], working },
  };
}

function inASentence(): Told {
  const sentence = "Northwind employed 4,120 people at the end of 2024";
  return {
    passages: [staff],
    written: [{ text: sentence, from: [[1, sentence]] }],
    figures: {
      ...NOTHING,
      figures: [
        {
          printed: "4,120",
          unit: "people",
          name: staff.text,
          period: "2024",
          status: "actual",
          origin: "sentence",
          citation: 1,
        },
      ],
      tables: [],
    },
  };
}

function missing(): Told {
  return {
    passages: [{ ...emissions(1), relevance: 0.53, used: false }],
    written: [],
    remark: "Scope 1, total: 2019, 2022, 2023 and 2024 are given; 2021 is not.",
    figures: {
      ...NOTHING,
      figures: [],
      tables: [
        {
          citation: null,
          head: ["t CO₂e", "2024", "2023", "2022", "2021", "2019"],
          rows: [
            {
              rows_before: 0,
              cells: ["Scope 1, total", "2,548,000", "2,905,000", "3,118,000", "", "4,410,000"],
              marked: [4],
            },
          ],
          rows_after: 0,
          columns_left_out: 0,
        },
      ],
      passed_over: [
        {
          figure: elsewhere({ name: "Scopes 1 and 2, market-based", period: "2021", printed: "3,020,000" }),
          other: "scope",
        },
      ],
    },
  };
}

/** What figures say to a question; nothing where it asks for none. */
export function figuresTo(question: string): Told | undefined {
  if (/how many people/i.test(question)) return inASentence();
  if (!/scope 1\b/i.test(question)) return undefined;
  if (/change/i.test(question)) return change();
  return /\b20\d\d\b/.exec(question)?.[0] === "2021" ? missing() : value();
}
