import { type LegKind, legColour } from "@/kit/legs";
import type { FlowLine } from "./flow";
import shared from "./shared.module.css";

type FlowProps = {
  lines: readonly FlowLine[];
  leg: LegKind;
  /** Rows in all. */
  rows: number;
  rowHeight: number;
  selected: string | undefined;
  /** The leg stands after the fused list. */
  mirrored?: boolean;
};

/** Lines that lead a chunk from its rank in a leg to its rank in the answer. */
export function Flow({ lines, leg, rows, rowHeight, selected, mirrored }: FlowProps) {
  const colour = legColour(leg);
  const chosen = (line: FlowLine) => line.chunkId === selected && line.kind !== "stub";
  // The selected line is drawn last, above the others.
  const ordered = [...lines].sort((a, b) => Number(chosen(a)) - Number(chosen(b)));
  const x = (share: number) => (mirrored ? 100 - share : share);
  return (
    <svg
      className={shared.flow}
      style={{ height: rows * rowHeight }}
      viewBox={`0 0 100 ${rows}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {ordered.map((line) => {
        const from = line.from + 0.5;
        const to = line.to + 0.5;
        const strong = chosen(line);
        const path =
          line.kind === "stub"
            ? `M${x(0)} ${from}L${x(14)} ${from}`
            : `M${x(0)} ${from}C${x(50)} ${from} ${x(50)} ${to} ${x(100)} ${to}`;
        const dash = line.kind === "line" ? undefined : line.kind === "stub" ? "2 2" : "3 3";
        return (
          <path
            key={line.chunkId}
            d={path}
            stroke={colour}
            strokeWidth={strong ? 3 : line.kind === "below" ? 1.25 : 1.5}
            opacity={strong ? 1 : line.kind === "line" ? 0.5 : 0.36}
            strokeDasharray={dash}
            fill="none"
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
    </svg>
  );
}
