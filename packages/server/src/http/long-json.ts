/** Makes and sends long responses without holding the event loop: a document of 10 MiB of control characters has 60 MiB of JSON. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { jsonPieces, LazyList, RawJson } from "@kcs/contract";
import { errors } from "../domain/errors.ts";

/** Longer responses are streams. */
const LONG_CHARACTERS = 512 * 1024;
/** Writing and hashing them takes one or two milliseconds. Several responses may be written in the same turn. */
const CHARACTERS_PER_TURN = 128 * 1024;
/** The longest piece that is sent at once. */
export const PIECE_BYTES = 64 * 1024;
/** A member of an object or an item of a list, without its text. */
const MEMBER_BYTES = 32;

/** One line of JSON for each item. */
export class JsonLines {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

/** A text that is sent as it is, in UTF-8. */
export class MadeBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** The JSON of a long response, written while it is sent: only the value and a piece are kept in memory. */
export class LongJson extends Readable {
  readonly #value: unknown;
  readonly #parts: Iterator<Buffer>;
  #unsent: Buffer = Buffer.alloc(0);
  #turn: () => Promise<unknown> = () => turn();

  constructor(value: unknown) {
    super();
    this.#value = value;
    this.#parts = partsOf(value);
  }

  /** About the memory of the value. A character takes two bytes where one of its text is beyond Latin-1. */
  get heldBytes(): number {
    return heldBytesOf(this.#value);
  }

  /** `next` is awaited before each part is written. */
  takeTurns(next: () => Promise<unknown>): void {
    this.#turn = next;
  }

  /**
   * Writes the JSON once more, which takes as long as sending it. `digest`: SHA-256 in base64url.
   * @throws ServiceError `abandoned` when it has been destroyed
   */
  async measure(): Promise<{ readonly digest: string; readonly byteLength: number }> {
    const hash = createHash("sha256");
    let byteLength = 0;
    const parts = partsOf(this.#value);
    for (;;) {
      await this.#turn();
      if (this.destroyed) throw errors.abandoned();
      const { value, done } = parts.next();
      if (done === true) break;
      hash.update(value);
      byteLength += value.length;
    }
    return { digest: hash.digest("base64url"), byteLength };
  }

  override _read(): void {
    if (this.#unsent.length > 0) this.#pushPiece();
    else void this.#turn().then(() => this.#writePart());
  }

  #writePart(): void {
    if (this.destroyed) return;
    const { value, done } = this.#parts.next();
    if (done === true) return void this.push(null);
    this.#unsent = value;
    this.#pushPiece();
  }

  /** Short pieces show whether a client takes any. */
  #pushPiece(): void {
    const piece = this.#unsent.subarray(0, PIECE_BYTES);
    this.#unsent = this.#unsent.subarray(piece.length);
    this.push(piece);
  }
}

function heldBytesOf(value: unknown): number {
  if (typeof value === "string") return 2 * value.length;
  if (value instanceof RawJson) return 2 * value.text.length;
  if (value instanceof MadeBytes) return value.bytes.length;
  if (value instanceof LazyList) return value.heldBytes;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + MEMBER_BYTES + heldBytesOf(member), 0);
}

function* piecesOf(value: unknown): Generator<string> {
  if (!(value instanceof JsonLines)) return yield* jsonPieces(value);
  for (const item of value.items) {
    yield* jsonPieces(item);
    yield "\n";
  }
}

function* partsOf(value: unknown): Generator<Buffer> {
  if (value instanceof MadeBytes) return yield* partsOfBytes(value);
  let pieces: string[] = [];
  let characters = 0;
  for (const piece of piecesOf(value)) {
    pieces.push(piece);
    characters += piece.length;
    if (characters < CHARACTERS_PER_TURN) continue;
    yield Buffer.from(pieces.join(""));
    pieces = [];
    characters = 0;
  }
  yield Buffer.from(pieces.join(""));
}

function* partsOfBytes({ bytes }: MadeBytes): Generator<Buffer> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < all.length; at += CHARACTERS_PER_TURN)
    yield all.subarray(at, at + CHARACTERS_PER_TURN);
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
