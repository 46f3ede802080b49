/** Makes and sends long responses without holding the event loop: a document of 10 MiB of control characters has 60 MiB of JSON. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { jsonPieces } from "@kcs/contract";

/** Longer responses are streams. */
const LONG_CHARACTERS = 512 * 1024;
/** Writing and hashing them takes one or two milliseconds. Several responses may be written in the same turn. */
const CHARACTERS_PER_TURN = 128 * 1024;
/** A response of which the client takes nothing for this long is cut off. */
const STALL_MS = 60_000;

/** The JSON of a long response, written while it is sent: only the value is kept in memory. */
export class LongJson extends Readable {
  readonly #value: unknown;
  readonly #parts: Iterator<Buffer>;
  readonly #stallMs: number;
  #stall: NodeJS.Timeout | undefined;

  constructor(value: unknown, stallMs = STALL_MS) {
    super();
    this.#value = value;
    this.#parts = partsOf(value);
    this.#stallMs = stallMs;
  }

  /** Writes the JSON once more, which takes as long as sending it. `digest`: SHA-256 in base64url. */
  async measure(): Promise<{ readonly digest: string; readonly byteLength: number }> {
    const hash = createHash("sha256");
    let byteLength = 0;
    for (const part of partsOf(this.#value)) {
      hash.update(part);
      byteLength += part.length;
      await turn();
    }
    return { digest: hash.digest("base64url"), byteLength };
  }

  override _read(): void {
    clearTimeout(this.#stall);
    setImmediate(() => {
      if (this.destroyed) return;
      const { value, done } = this.#parts.next();
      if (done !== true) this.#stall = setTimeout(() => this.destroy(stalled()), this.#stallMs).unref();
      this.push(done === true ? null : value);
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#stall);
    done(error);
  }
}

function stalled(): Error {
  return new Error("The client took nothing of a long response.");
}

function* partsOf(value: unknown): Generator<Buffer> {
  let pieces: string[] = [];
  let characters = 0;
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    characters += piece.length;
    if (characters < CHARACTERS_PER_TURN) continue;
    yield Buffer.from(pieces.join(""));
    pieces = [];
    characters = 0;
  }
  yield Buffer.from(pieces.join(""));
}

/** As `stringifyJson`; a long response is a stream. */
export function encodeJson(value: unknown): string | LongJson {
  const pieces: string[] = [];
  let characters = 0;
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    characters += piece.length;
    if (characters >= LONG_CHARACTERS) return new LongJson(value);
  }
  return pieces.join("");
}
