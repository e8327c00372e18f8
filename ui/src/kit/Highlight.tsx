type HighlightProps = {
  text: string;
  /** What to mark, without regard to case. */
  query: string;
};

/** A text with every occurrence of `query` marked. */
export function Highlight({ text, query }: HighlightProps) {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return <span>{text}</span>;
  const lower = text.toLowerCase();
  // Folding may change the length of a text; offsets would then point elsewhere.
  if (lower.length !== text.length) return <span>{text}</span>;
  const parts = [];
  let at = 0;
  for (let hit = lower.indexOf(wanted); hit >= 0; hit = lower.indexOf(wanted, at)) {
    parts.push(text.slice(at, hit));
    parts.push(
      <mark key={hit} className="query">
        {text.slice(hit, hit + wanted.length)}
      </mark>,
    );
    at = hit + wanted.length;
  }
  parts.push(text.slice(at));
  return <span>{parts}</span>;
}
