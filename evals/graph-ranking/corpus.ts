/** Ingests a set in memory with the service's own parts: chunks, vectors, names, index. */
import type { ClosableEmbedder } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import type { ChunkKey } from "../../packages/server/src/domain/document.ts";
import { indexedText } from "../../packages/server/src/domain/document.ts";
import type { PassageKnowledge, Subject } from "../../packages/server/src/domain/graph.ts";
import { fusionWeights } from "../../packages/server/src/engine/index/fusion.ts";
import { searchIndex } from "../../packages/server/src/engine/index/search.ts";
import { chunkDocument } from "../../packages/server/src/engine/ingest/chunk.ts";
import { DEFAULT_CHUNKING } from "../../packages/server/src/engine/ingest/defaults.ts";
import { encodeSentences } from "../../packages/server/src/engine/ingest/extract/encode-sentences.ts";
import {
  type GraphReader,
  type HybridScores,
  idOf,
  type ScoredChunk,
} from "../../packages/server/src/engine/query/graph/graph-reader.ts";
import { findTitle } from "../../packages/server/src/engine/text/headings.ts";
import { readLexicon } from "../../packages/server/src/engine/text/names/lexicon.ts";
import { findMentions } from "../../packages/server/src/engine/text/names/mentions.ts";
import { endsOf } from "../../packages/server/src/engine/text/names/normal-form.ts";
import { findDocumentSubjects, findSubjects } from "../../packages/server/src/engine/text/names/subjects.ts";
import { sentences } from "../../packages/server/src/engine/text/sentences.ts";
import { queryTerms } from "../../packages/server/src/engine/text/terms.ts";
import type { AboutPassage } from "../../packages/server/src/ports/graph-store.ts";
import { createMemoryIndex, segmentsOf } from "../../packages/server/test/support/memory-index.ts";
import type { EvaluationSet } from "./sets.ts";

export interface StoredChunk extends ChunkKey {
  readonly text: string;
  readonly sourceDocId: string;
  readonly indexed: string;
  readonly vector: Float32Array;
  readonly knowledge: PassageKnowledge;
}

export interface Corpus {
  readonly reader: GraphReader;
  /** The hybrid scores of all chunks for a question; as the service's for the first hundred. */
  search(text: string, vector: Float32Array): Promise<HybridScores>;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;
const INT8_MAX = 127;

export async function ingest(
  set: EvaluationSet,
  embedder: ClosableEmbedder,
  maxTokens: number,
): Promise<Corpus> {
  return corpusOf(await readChunks(set, embedder, maxTokens));
}

/** The chunks of all documents, in their order. */
export async function readChunks(
  set: EvaluationSet,
  embedder: ClosableEmbedder,
  maxTokens: number,
): Promise<readonly StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for (const [at, document] of set.documents.entries()) {
    chunks.push(...(await chunksOf(document, { versionId: at + 1, embedder, maxTokens })));
  }
  return chunks;
}

export function corpusOf(chunks: readonly StoredChunk[]): Corpus {
  return { reader: readerOf(chunks), search: searchOf(chunks) };
}

async function chunksOf(
  { id, text }: { readonly id: string; readonly text: string },
  {
    versionId,
    embedder,
    maxTokens,
  }: { readonly versionId: number; readonly embedder: ClosableEmbedder; readonly maxTokens: number },
): Promise<readonly StoredChunk[]> {
  const lexicon = readLexicon(text);
  const about = findDocumentSubjects(text, { title: findTitle(text)?.text ?? null, lexicon });
  const stored: StoredChunk[] = [];
  const countTokens = (part: string) => embedder.countTokens(part);
  for (const chunk of chunkDocument(text, { ...DEFAULT_CHUNKING, maxTokens, countTokens })) {
    const spans = [...sentences(chunk.text)];
    const indexed = indexedText(chunk);
    const before = indexed.length - chunk.text.length;
    const moved = spans.map(({ start, end }) => ({ start: start + before, end: end + before }));
    const encoded = await encodeSentences({ text: indexed, sentences: moved }, embedder.encode);
    const rows = new Int8Array(spans.length * embedder.dimensions);
    for (const [row, { vector }] of encoded.sentences.entries()) {
      rows.set(
        vector.map((component) => Math.round(component * INT8_MAX)),
        row * embedder.dimensions,
      );
    }
    stored.push({
      versionId,
      position: chunk.position,
      sourceDocId: id,
      text: chunk.text,
      indexed,
      vector: encoded.vector,
      knowledge: {
        subjects: findSubjects(chunk, about),
        sentences: spans,
        sentenceVectors: rows,
        mentions: findMentions(chunk.text, spans, { lexicon }),
        statements: [],
      },
    });
  }
  return stored;
}

function readerOf(chunks: readonly StoredChunk[]): GraphReader {
  const byId = new Map(chunks.map((chunk) => [idOf(chunk), chunk]));
  const about = new Map<string, AboutPassage[]>();
  const ends = new Map<string, Set<string>>();
  const add = ({ versionId, position }: ChunkKey, { name, kind }: Subject) => {
    about.set(name, [...(about.get(name) ?? []), { versionId, position, name, kind }]);
    ends.set(endsOf(name), (ends.get(endsOf(name)) ?? new Set()).add(name));
  };
  for (const chunk of chunks) for (const subject of chunk.knowledge.subjects) add(chunk, subject);
  return {
    async findAbout(names, maxPerName) {
      return new Map(
        names.flatMap((name) => {
          const passages = about
            .get(name)
            ?.toSorted((one, other) => one.position - other.position || one.versionId - other.versionId);
          if (passages === undefined) return [];
          const documents = new Set(passages.map(({ versionId }) => versionId)).size;
          return [[name, { documents, passages: passages.slice(0, maxPerName) }] as const];
        }),
      );
    },
    async findByEnds(wanted, maxPerEnd) {
      return new Map(
        wanted.flatMap((end) =>
          ends.has(end) ? [[end, [...(ends.get(end) ?? [])].sort().slice(0, maxPerEnd)]] : [],
        ),
      );
    },
    async readPassages(keys) {
      return keys.map((key) => byId.get(idOf(key))?.knowledge ?? null);
    },
  };
}

function searchOf(chunks: readonly StoredChunk[]): Corpus["search"] {
  const memory = createMemoryIndex(SEGMENT_BYTES);
  const byId = new Map(chunks.map((chunk) => [idOf(chunk), chunk]));
  const index = memory.open(
    segmentsOf([chunks.map(({ indexed, ...chunk }) => ({ ...chunk, metadata: {}, indexedText: indexed }))]),
    new Set(),
  );
  return async (text, vector) => {
    const found = await searchIndex({
      index,
      kernels: memory.kernels,
      terms: queryTerms(text),
      vector,
      filter: null,
      limit: chunks.length,
      readVectors: async (keys) => keys.map((key) => byId.get(idOf(key))?.vector ?? null),
    });
    const ceiling = ceilingOf(found);
    const scored = found.map((chunk): ScoredChunk => ({ ...chunk, lexical: chunk.lexical / ceiling }));
    const scores = new Map(scored.map((chunk) => [idOf(chunk), chunk]));
    return {
      best: scored.slice(0, 100),
      scoresOf: async (keys) => keys.map((key) => scores.get(idOf(key)) ?? null),
    };
  };
}

/** What BM25 was divided by, read back from a fused score that no bound has cut. */
function ceilingOf(found: readonly ScoredChunk[]): number {
  const uncut = found.find(({ lexical, score }) => lexical > 0 && score > 0 && score < 1);
  if (uncut === undefined) return 1;
  const { lexical, dense } = fusionWeights(1);
  return (lexical * uncut.lexical) / (uncut.score - dense * uncut.dense);
}
