/** Makes long responses without holding the event loop: a document of 10 MiB of control characters has 60 MiB of JSON. */
import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { jsonPieces } from "@kcs/contract";

/** Writing them takes at most a few milliseconds. */
const CHARACTERS_PER_TURN = 512 * 1024;

/** As `stringifyJson`. */
export async function stringifyInTurns(value: unknown): Promise<string> {
  const pieces: string[] = [];
  let characters = 0;
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    characters += piece.length;
    if (characters < CHARACTERS_PER_TURN) continue;
    characters = 0;
    await turn();
  }
  return pieces.join("");
}

/** SHA-256 in base64url. */
export async function digestInTurns(text: string): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < text.length; at += CHARACTERS_PER_TURN) {
    if (at > 0) await turn();
    hash.update(text.slice(at, at + CHARACTERS_PER_TURN));
  }
  return hash.digest("base64url");
}
