// Server-sent events, read from a response: the browser's own reader sends no token.

import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";

/** The events of a response, each as soon as it is whole. */
export async function* sentEvents(response: Response): AsyncGenerator<EventSourceMessage> {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const reader = events?.getReader();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
