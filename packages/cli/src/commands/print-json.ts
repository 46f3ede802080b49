import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Io } from "../io.ts";

/** Indented on a terminal, one line in a pipe. */
export async function printJson(io: Io, value: unknown): Promise<ExitCode> {
  await io.out(jsonText(value, io.outTerminal === null ? 0 : 2));
  return EXIT.ok;
}

/** A line of JSON. Escapes what a terminal would execute or reorder and `JSON.stringify` leaves as it is. */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\p{Bidi_C}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}
