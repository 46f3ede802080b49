/** As many chunks of real prose as are wanted, no two of them equal. */
import { createHash } from "node:crypto";
import type { NewDocument } from "../../evals/client.ts";
import { sentences } from "../../packages/server/src/engine/text/sentences.ts";
import { openChunker, readDocuments } from "../documents.ts";

export interface CountedDocument extends NewDocument {
  /** How many the service has to make of it in its default configuration. */
  readonly chunks: number;
}

export interface Corpus {
  /** The next documents, until they have so many chunks; the last one may bring some more. */
  take(chunks: number): readonly CountedDocument[];
  /** Of all documents taken so far, those that are mixed from two of the data. */
  readonly mixed: number;
}

const PIECE_CHARACTERS = 200;
const PIECES_PER_PARAGRAPH = 6;
const MAX_ROUNDS = 50;
const MAX_ID_LENGTH = 500;

/**
 * First the documents of the folder, each text once; then each of them again, piece by piece in turn with another
 * one, a different one in each round. A document that would bring a chunk for the second time is left out.
 */
export async function openCorpus(folder: string): Promise<Corpus> {
  const { documents } = await readDocuments(folder, Number.POSITIVE_INFINITY);
  const chunk = await openChunker();
  const source = variantsOf(uniqueTexts(documents));
  const known = new Set<string>();
  let mixed = 0;

  function next(): CountedDocument {
    for (;;) {
      const { value, done } = source.next();
      if (done === true) throw new Error(`${folder} has too little text.`);
      const { texts } = chunk(value.document.text);
      const hashes = new Set(texts.map(hashOf));
      if (texts.length === 0 || hashes.size < texts.length || !hashes.isDisjointFrom(known)) continue;
      for (const hash of hashes) known.add(hash);
      if (value.isMixed) mixed++;
      return { ...value.document, chunks: texts.length };
    }
  }

  return {
    get mixed() {
      return mixed;
    },
    take(chunks) {
      const taken: CountedDocument[] = [];
      for (let missing = chunks; missing > 0; ) {
        const document = next();
        taken.push(document);
        missing -= document.chunks;
      }
      return taken;
    },
  };
}

/** The first documents with at least so many chunks. */
export function firstChunks(
  documents: readonly CountedDocument[],
  chunks: number,
): readonly CountedDocument[] {
  let missing = chunks;
  const end = documents.findIndex((document) => {
    missing -= document.chunks;
    return missing <= 0;
  });
  return end < 0 ? documents : documents.slice(0, end + 1);
}

export function countChunks(documents: readonly CountedDocument[]): number {
  return documents.reduce((sum, { chunks }) => sum + chunks, 0);
}

export function hashDocuments(documents: readonly CountedDocument[]): string {
  const hash = createHash("sha256");
  for (const { source_doc_id: id, text } of documents) hash.update(JSON.stringify([id, text]));
  return hash.digest("hex");
}

function uniqueTexts(documents: readonly NewDocument[]): readonly NewDocument[] {
  const known = new Set<string>();
  return documents.filter(({ text }) => !known.has(text) && known.add(text));
}

interface Variant {
  readonly document: NewDocument;
  readonly isMixed: boolean;
}

function* variantsOf(documents: readonly NewDocument[]): Generator<Variant> {
  for (const document of documents) yield { document, isMixed: false };
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    for (const [at, document] of documents.entries()) {
      const other = documents[(at + round * round) % documents.length];
      if (other === undefined || other === document) continue;
      const id = `${document.source_doc_id.slice(-MAX_ID_LENGTH)}~${round}`;
      const text = interleave(piecesOf(document.text), piecesOf(other.text));
      yield { document: { source_doc_id: id, text }, isMixed: true };
    }
  }
}

/** Pieces of both in turn, as many as the first has; the second begins anew where it is shorter. */
function interleave(pieces: readonly string[], others: readonly string[]): string {
  return pieces
    .map((piece, at) => {
      const end = (at + 1) % PIECES_PER_PARAGRAPH === 0 ? "\n\n" : " ";
      return `${piece} ${others[at % others.length] ?? ""}${end}`;
    })
    .join("");
}

/** Sentences; of a long one at most so much that a chunk holds several pieces. */
function piecesOf(text: string): readonly string[] {
  const whole = new RegExp(`\\S[^]{0,${PIECE_CHARACTERS - 1}}(?=\\s|$)|\\S{1,${PIECE_CHARACTERS}}`, "g");
  return [...sentences(text)].flatMap(({ start, end }) => text.slice(start, end).match(whole) ?? []);
}

function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}
