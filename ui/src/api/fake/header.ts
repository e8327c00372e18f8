// The context header that the chunks of the in-memory engine begin with.

/** The context header of a chunk without its brackets, and the text behind it. */
export function headerAndBody(chunk: string): { header: string | undefined; body: string } {
  const found = /^\[([^\n]*)\]\s*\n+/.exec(chunk);
  return found
    ? { header: found[1], body: chunk.slice(found[0].length) }
    : { header: undefined, body: chunk };
}
