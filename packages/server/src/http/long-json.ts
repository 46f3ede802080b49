/** Makes and sends long responses without holding the event loop: a document of 10 MiB of control characters has 60 MiB of JSON. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { jsonPieces } from "@kcs/contract";

/** Writing or hashing them takes at most a few milliseconds. */
const CHARACTERS_PER_TURN = 512 * 1024;

/** The JSON of a long response, in parts of about half a MiB. */
export class LongJson extends Readable {
  readonly byteCount: number;
  readonly parts: readonly Buffer[];
  #sent = 0;

  constructor(parts: readonly Buffer[]) {
    super();
    this.parts = parts;
    this.byteCount = parts.reduce((sum, { length }) => sum + length, 0);
  }

  override _read(): void {
    setImmediate(() => this.push(this.parts[this.#sent++] ?? null));
  }
}

/** As `stringifyJson`; a long response is a stream. */
export async function encodeInTurns(value: unknown): Promise<string | LongJson> {
  const parts: Buffer[] = [];
  let pieces: string[] = [];
  let characters = 0;
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    characters += piece.length;
    if (characters < CHARACTERS_PER_TURN) continue;
    parts.push(Buffer.from(pieces.join("")));
    pieces = [];
    characters = 0;
    await turn();
  }
  const rest = pieces.join("");
  return parts.length === 0 ? rest : new LongJson([...parts, Buffer.from(rest)]);
}

/** SHA-256 in base64url. */
export async function digestOf(json: string | LongJson): Promise<string> {
  const hash = createHash("sha256");
  if (typeof json === "string") return hash.update(json).digest("base64url");
  for (const part of json.parts) {
    hash.update(part);
    await turn();
  }
  return hash.digest("base64url");
}
