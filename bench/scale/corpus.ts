/** Supplies any number of chunks of real prose without duplicates. */
import { createHash } from "node:crypto";
import type { NewDocument } from "../../evals/client.ts";
import { sentences } from "../../packages/server/src/engine/text/sentences.ts";
import { openChunker, readDocuments } from "../documents.ts";

export interface CountedDocument extends NewDocument {
  /** Number of chunks that the service must make of it in its default configuration. */
  readonly chunks: number;
}

export interface Corpus {
  /** The next documents with at least `chunks` chunks in total. */
  take(chunks: number): readonly CountedDocument[];
  /** Number of documents taken so far that are mixed from two documents. */
  readonly mixed: number;
}

const PIECE_CHARACTERS = 200;
const PIECES_PER_PARAGRAPH = 6;
const MAX_ROUNDS = 50;
const MAX_ID_LENGTH = 500;

/**
 * Yields the documents of the folder without duplicates; then, in each round, every document interleaved piece by piece
 * with another one, a different one per round. Skips documents that would repeat a chunk.
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

/** The first documents with at least `chunks` chunks in total. */
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

export function uniqueTexts(documents: readonly NewDocument[]): readonly NewDocument[] {
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

/** Alternates the pieces of both texts. Has as many pieces as the first; repeats the second if it is shorter. */
export function interleave(pieces: readonly string[], others: readonly string[]): string {
  return pieces
    .map((piece, at) => {
      const end = (at + 1) % PIECES_PER_PARAGRAPH === 0 ? "\n\n" : " ";
      return `${piece} ${others[at % others.length] ?? ""}${end}`;
    })
    .join("");
}

/** Sentences, with long ones split, so that a chunk contains several pieces. */
export function piecesOf(text: string): readonly string[] {
  const piece = new RegExp(`\\S[^]{0,${PIECE_CHARACTERS - 1}}(?=\\s|$)|\\S{1,${PIECE_CHARACTERS}}`, "g");
  return [...sentences(text)].flatMap(({ start, end }) => text.slice(start, end).match(piece) ?? []);
}

export function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}
