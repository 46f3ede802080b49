/** The documents of the million: real ones, and ones that are mixed of two real ones each. */
import type { NewDocument } from "../../evals/client.ts";
import { openChunker, readDocuments } from "../documents.ts";
import { hashOf, interleave, piecesOf, uniqueTexts } from "../scale/corpus.ts";

export interface RealDocument extends NewDocument {
  /** What the embedder receives for each chunk. */
  readonly texts: readonly string[];
  /** The number of its first chunk among the chunks of all real documents. */
  readonly from: number;
}

/** The numbers of the two real chunks that stand at the same place of their documents as a chunk does in the mixed one. */
export interface MixedChunk {
  readonly text: string;
  readonly one: number;
  readonly other: number;
}

export interface MixedDocument extends NewDocument {
  readonly chunks: readonly MixedChunk[];
}

export interface Texts {
  readonly real: readonly RealDocument[];
  readonly realChunks: number;
  /** Real ones that are not among `real`, with at least `chunks` chunks in total. */
  unused(chunks: number): readonly RealDocument[];
  /** No chunk equals another one of these or of `real`. */
  mix(): Generator<MixedDocument>;
}

const MAX_ROUNDS = 400;
const MAX_ID_LENGTH = 500;

/** The first documents of the folder with at least `real` chunks, each text once. */
export async function openTexts(folder: string, real: number): Promise<Texts> {
  const { documents } = await readDocuments(folder, Number.POSITIVE_INFINITY);
  const chunk = await openChunker();
  const known = new Set<string>();
  const source = realDocuments(uniqueTexts(documents), (text) => newTexts(chunk(text).texts, known));
  const first = takeChunks(source, real);
  return {
    real: first,
    realChunks: countChunks(first),
    unused: (chunks) => takeChunks(source, chunks),
    mix: () => mixDocuments(first, (text) => newTexts(chunk(text).texts, known)),
  };
}

/** null where a chunk would be repeated. */
function newTexts(texts: readonly string[], known: Set<string>): readonly string[] | null {
  const hashes = new Set(texts.map(hashOf));
  if (texts.length === 0 || hashes.size < texts.length || !hashes.isDisjointFrom(known)) return null;
  for (const hash of hashes) known.add(hash);
  return texts;
}

type CutText = (text: string) => readonly string[] | null;

function* realDocuments(documents: readonly NewDocument[], cut: CutText): Generator<RealDocument> {
  let from = 0;
  for (const document of documents) {
    const texts = cut(document.text);
    if (texts === null) continue;
    yield { ...document, texts, from };
    from += texts.length;
  }
}

function takeChunks(source: Generator<RealDocument>, chunks: number): readonly RealDocument[] {
  const taken: RealDocument[] = [];
  for (let missing = chunks; missing > 0; ) {
    const { value, done } = source.next();
    if (done === true) throw new Error("The folder has too little text.");
    taken.push(value);
    missing -= value.texts.length;
  }
  return taken;
}

export function countChunks(documents: readonly RealDocument[]): number {
  return documents.reduce((sum, { texts }) => sum + texts.length, 0);
}

/** In each round every document is interleaved piece by piece with another one. */
function* mixDocuments(real: readonly RealDocument[], cut: CutText): Generator<MixedDocument> {
  const pieces = real.map(({ text }) => piecesOf(text));
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    for (const [at, one] of real.entries()) {
      const otherAt = (at + round * round) % real.length;
      const other = real[otherAt];
      const [piecesOfOne = [], piecesOfOther = []] = [pieces[at], pieces[otherAt]];
      if (other === undefined || other === one) continue;
      const text = interleave(piecesOfOne, piecesOfOther);
      const texts = cut(text);
      if (texts === null) continue;
      const id = `${one.source_doc_id.slice(-MAX_ID_LENGTH)}~${round}`;
      // The other one's pieces are repeated, or not all used.
      const repeats = piecesOfOne.length / piecesOfOther.length;
      const chunks = texts.map((chunk, position) => {
        const place = (position + 0.5) / texts.length;
        return {
          text: chunk,
          one: chunkAt(one, place),
          other: chunkAt(other, (place * repeats) % 1),
        };
      });
      yield { source_doc_id: id, text, chunks };
    }
  }
}

/** `place`: from 0 (included) to 1 (excluded). */
function chunkAt({ from, texts }: RealDocument, place: number): number {
  return from + Math.floor(place * texts.length);
}
