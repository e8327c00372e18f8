import type { ReactNode } from "react";
import { ScrollRegion } from "./ScrollRegion";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/g;

function coloured(line: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    parts.push(line.slice(at, match.index));
    const [whole, text, colon] = match;
    const kind = text === undefined ? "json-number" : colon === undefined ? "json-string" : "json-key";
    parts.push(
      <span key={match.index} className={kind}>
        {text ?? whole}
      </span>,
      colon ?? "",
    );
    at = match.index + whole.length;
  }
  parts.push(line.slice(at));
  return parts;
}

/** JSON in indented, coloured lines; short lists stay on one line. Nothing in it is interpreted. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const lines = (JSON.stringify(value, null, 2) ?? "undefined")
    .replace(/\[\n\s+([^[\]{}]{0,60}?)\n\s+\]/g, (_, inner: string) => `[${inner.replace(/\n\s+/g, " ")}]`)
    .split("\n");
  return (
    <ScrollRegion as="pre" label={label}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their place.
        <div key={index}>{coloured(line)}</div>
      ))}
    </ScrollRegion>
  );
}
