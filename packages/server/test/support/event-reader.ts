/** Reads server-sent events as they come. */
import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { API_PREFIX, responses } from "@kcs/contract";
import type { z } from "zod";

export interface ReadEvent {
  /** As the stream has set it so far: an event need not bring its own. */
  readonly id: string;
  readonly name: string;
  readonly data: z.output<typeof responses.jobProgress>;
}

export interface EventReader {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** The next event; null at the end of the stream. */
  next(): Promise<ReadEvent | null>;
  /** All that still come until the stream ends. */
  rest(): Promise<readonly ReadEvent[]>;
  /** Where a reader that comes back would go on. */
  lastId(): string;
  close(): void;
}

const LIMIT_MS = 60_000;

/** Opens the stream at `path`, which is below `/api/v1`. */
export async function openEvents(
  target: { readonly baseUrl: string; readonly key: string },
  path: string,
  lastEventId?: string,
): Promise<EventReader> {
  const headers = {
    authorization: `Bearer ${target.key}`,
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(
      target.baseUrl + API_PREFIX + path,
      { headers, agent: false, timeout: LIMIT_MS },
      resolve,
    );
    request.on("error", reject);
  });
  incoming.on("error", () => undefined); // Cut off by `close`, or by the service that ends.
  const state = { lastId: "" };
  const events = readEvents(incoming, state);
  const next = async () => {
    const { value, done } = await events.next();
    return done === true ? null : value;
  };
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    next,
    async rest() {
      const all: ReadEvent[] = [];
      for (let event = await next(); event !== null; event = await next()) all.push(event);
      return all;
    },
    lastId: () => state.lastId,
    close: () => void incoming.destroy(),
  };
}

async function* readEvents(
  incoming: IncomingMessage,
  state: { lastId: string },
): AsyncGenerator<ReadEvent, void> {
  let text = "";
  for await (const part of incoming) {
    text += String(part);
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const event = parse(text.slice(0, end), state);
      text = text.slice(end + 2);
      if (event !== null) yield event;
    }
  }
}

/** null for the event that says where the stream begins. */
function parse(block: string, state: { lastId: string }): ReadEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const at = line.indexOf(": ");
    assert.ok(at >= 0, line);
    fields.set(line.slice(0, at), line.slice(at + 2));
  }
  state.lastId = fields.get("id") ?? state.lastId;
  const data = fields.get("data");
  assert.ok(data !== undefined, `a block without data: ${block}`);
  if (fields.get("event") === "begin") return null;
  return {
    id: state.lastId,
    name: fields.get("event") ?? "message",
    data: responses.jobProgress.parse(JSON.parse(data)),
  };
}
