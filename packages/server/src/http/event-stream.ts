/**
 * Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html. A blank line follows only data:
 * some readers (httpx-sse) take every blank line for an event.
 */
import { Readable } from "node:stream";

export interface EventStream {
  readonly body: Readable;
  /** False while the buffer is full. Writing then would grow memory without limit. */
  isReady(): boolean;
  /** `id` is what a reader sends as `Last-Event-ID` when it reconnects; null keeps the id of the event before. */
  send(event: { readonly id: string | null; readonly name: string; readonly data: string }): void;
  end(): void;
}

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Keeps nginx and similar proxies from buffering events.
  "x-accel-buffering": "no",
} as const;

const BUFFER_BYTES = 64 * 1024;
/** Proxies close idle connections after about a minute. */
const HEARTBEAT_MS = 15_000;
/** Delay before a disconnected reader reconnects. */
const RETRY_MS = 2_000;
/**
 * Maximum lifetime of a stream. Proxies and browsers keep streams open that nobody
 * reads; an active reader reconnects.
 */
const LIFE_MS = 30 * 60_000;
/**
 * Interval of the access check: the longest time that a stream survives a revoked key or an ended session.
 */
const CHECK_MS = 5_000;

/** `onClose` is called once, for any end of the stream. `isAllowed`: whether the reader still has access. */
export function createEventStream(onClose: () => void, isAllowed: () => Promise<boolean>): EventStream {
  let isFull = false;
  let isOpen = true;
  const body = new Readable({
    highWaterMark: BUFFER_BYTES,
    read() {
      isFull = false;
    },
    destroy(error, done) {
      close();
      done(error);
    },
  });
  const write = (text: string) => {
    if (isOpen) isFull = !body.push(text);
  };
  const heartbeat = setInterval(() => {
    if (!isFull) write(": heartbeat\n");
  }, HEARTBEAT_MS);
  const life = setTimeout(() => end(), LIFE_MS);
  let isChecking = false;
  const check = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    isAllowed()
      .then(
        (allowed) => {
          if (!allowed) end();
        },
        () => undefined, // The database is unavailable. Until it is back there are no events to send either.
      )
      .finally(() => {
        isChecking = false;
      });
  }, CHECK_MS);

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(heartbeat);
    clearInterval(check);
    clearTimeout(life);
    onClose();
  }

  function end(): void {
    if (!isOpen) return;
    body.push(null);
    close();
  }

  write(`retry: ${RETRY_MS}\n`);
  return {
    body,
    isReady: () => isOpen && !isFull,
    send({ id, name, data }) {
      write(`${id === null ? "" : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`);
    },
    end,
  };
}
