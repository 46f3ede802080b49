/** Parses the event stream format of the HTML standard, section 9.2.6. */
import { KcsError } from "./errors.ts";

export interface ServerSentEvent {
  /** "message" when the stream names no type; "" for a block without data that changes the last event id. */
  readonly type: string;
  readonly data: string;
  /** The last id in the stream so far; "" before the first one. */
  readonly lastEventId: string;
}

const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024;

/** Yields each event as soon as it is complete. Leaving the loop cancels the stream. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  let type = "";
  let data: string[] = [];
  let lastEventId = "";
  let yieldedId = "";
  for await (const line of readLines(stream)) {
    if (line === "") {
      if (data.length > 0) yield { type: type === "" ? "message" : type, data: data.join("\n"), lastEventId };
      else if (lastEventId !== yieldedId) yield { type: "", data: "", lastEventId };
      yieldedId = lastEventId;
      type = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") type = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) lastEventId = value;
  }
}

/** Lines end with CR, LF or CRLF. An incomplete last line is dropped, as the standard requires. */
async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let endsWithReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      if (text === "") continue;
      // A CR at the end of a part has already ended its line; an LF at the start of the next part belongs to that CR.
      const [first = "", ...others] = (endsWithReturn ? text.replace(/^\n/, "") : text).split(/\r\n|\n|\r/);
      endsWithReturn = text.endsWith("\r");
      rest += first;
      for (const line of others) {
        yield rest;
        rest = line;
      }
      if (rest.length > MAX_EVENT_CHARACTERS)
        throw new KcsError("The event stream has a line that is too long.");
    }
  } finally {
    await reader.cancel().catch(() => undefined); // Fails when the stream is broken already.
  }
}

/** @throws KcsError for a response without a body */
export function eventBodyOf({ body, url }: Response): ReadableStream<Uint8Array> {
  if (body === null) throw new KcsError(`${url} answered without an event stream.`);
  return body;
}
