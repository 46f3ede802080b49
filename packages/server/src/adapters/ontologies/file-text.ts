/** The bytes of a file, collected while it is written, so that one that becomes too large is given up in time. */
import { OntologyFileError } from "../../ports/ontology-files.ts";

/** Eight times the largest schema. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;
const PIECE_CHARACTERS = 64 * 1024;

export interface FileText {
  /** @throws OntologyFileError when the file becomes too large */
  add(text: string): void;
  /** @throws OntologyFileError when it has become too large */
  finish(): Uint8Array<ArrayBuffer>;
}

export function createFileText(): FileText {
  const pieces: Uint8Array[] = [];
  let waiting: string[] = [];
  let [waitingCharacters, bytes] = [0, 0];

  function encode(): void {
    const piece = Buffer.from(waiting.join(""));
    pieces.push(piece);
    bytes += piece.length;
    waiting = [];
    waitingCharacters = 0;
    if (bytes > MAX_FILE_BYTES) throw fileTooLarge();
  }

  return {
    add(text) {
      if (bytes + waitingCharacters + text.length > MAX_FILE_BYTES) {
        bytes = Number.POSITIVE_INFINITY; // A library that goes on after errors gets no further.
        throw fileTooLarge();
      }
      waiting.push(text);
      waitingCharacters += text.length;
      if (waitingCharacters >= PIECE_CHARACTERS) encode();
    },
    finish() {
      encode();
      const all = new Uint8Array(bytes);
      let offset = 0;
      for (const piece of pieces) {
        all.set(piece, offset);
        offset += piece.length;
      }
      return all;
    },
  };
}

export function fileTooLarge(): OntologyFileError {
  return new OntologyFileError(
    `the file would have more than ${MAX_FILE_BYTES / 1024 ** 2} MiB; choose another format, or make the lists of types and properties shorter`,
  );
}

/** As `JSON.stringify(value, null, 2)`, a piece at a time. */
export function addJson(file: FileText, value: unknown, indent = ""): void {
  const isArray = Array.isArray(value);
  const members = typeof value === "object" && value !== null ? Object.entries(value) : null;
  if (members === null || members.length === 0) {
    file.add(JSON.stringify(value));
    return;
  }
  const inner = `${indent}  `;
  let start = isArray ? "[" : "{";
  for (const [name, member] of members) {
    file.add(`${start}\n${inner}${isArray ? "" : `${JSON.stringify(name)}: `}`);
    addJson(file, member, inner);
    start = ",";
  }
  file.add(`\n${indent}${isArray ? "]" : "}"}`);
}
