// Server-sent events, read from a response: the browser's own reader sends no token.

/** An event of a stream. */
export type SentEvent = { id?: string; name: string; data: string };

function eventOf(block: string): SentEvent | undefined {
  let id: string | undefined;
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    // A line that begins with a colon only keeps the connection alive.
    if (colon < 1) continue;
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
  return data.length > 0 ? { id, name, data: data.join("\n") } : undefined;
}

/** The events of a response, each as soon as it is whole. */
export async function* sentEvents(response: Response): AsyncGenerator<SentEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      const blocks = (rest + read.value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
