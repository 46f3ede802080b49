/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import { Readable } from "node:stream";

export interface EventStream {
  readonly body: Readable;
  /** False while what was written has not gone out; who writes all the same fills memory. */
  isReady(): boolean;
  /** An event without `data` only tells where a reader that comes back goes on. */
  send(event: { readonly id: string | null; readonly name?: string; readonly data?: string }): void;
  end(): void;
}

const BUFFER_BYTES = 64 * 1024;
/** Proxies cut silent connections off after a minute or so. */
const HEARTBEAT_MS = 15_000;
/** How long a reader waits before it comes back. */
const RETRY_MS = 2_000;
/** Proxies and browsers keep streams that nobody reads; who does comes back. */
const LIFE_MS = 30 * 60_000;
/** So soon after its key was revoked, or its session has ended, a reader is told nothing more. */
const CHECK_MS = 5_000;

/** `onClose` is called once, whoever ended the stream. `isAllowed`: whether the reader may still be told. */
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
    if (!isFull) write(": heartbeat\n\n");
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
        () => undefined, // The database does not answer now; what it cannot tell it cannot show either.
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

  write(`retry: ${RETRY_MS}\n\n`);
  return {
    body,
    isReady: () => isOpen && !isFull,
    send({ id, name, data }) {
      const lines = [
        ...(id === null ? [] : [`id: ${id}`]),
        ...(name === undefined ? [] : [`event: ${name}`]),
        ...(data === undefined ? [] : [`data: ${data}`]),
      ];
      write(`${lines.join("\n")}\n\n`);
    },
    end,
  };
}
