/** The passages read for one question: scores, records, and the nearness of sentences to the question. */
import type { ChunkKey } from "../../../domain/document.ts";
import type { PassageKnowledge } from "../../../domain/graph.ts";
import { type GraphReader, type HybridScores, idOf, type ScoredChunk } from "./graph-reader.ts";

export interface Passage {
  readonly id: string;
  readonly scored: ScoredChunk;
  /** null when the chunk has no record. */
  readonly knowledge: PassageKnowledge | null;
  /** The cosines of each sentence with the question and with the question without its linked names. */
  readonly nearness: Nearness;
  /** By mentioned name: the index of the nearest sentence to the question that mentions it. */
  readonly names: ReadonlyMap<string, number>;
}

export interface Nearness {
  readonly question: Float32Array;
  readonly rest: Float32Array;
}

export interface QuestionVectors {
  /** Unit length, as is `rest`. */
  readonly question: Float32Array;
  readonly rest: Float32Array;
}

export interface Neighbourhood {
  /** undefined for a chunk that was not scored yet. */
  scoreOf(id: string): ScoredChunk | undefined;
  /** undefined for a chunk whose record was not read yet. */
  find(id: string): Passage | undefined;
  readonly passages: ReadonlyMap<string, Passage>;
  /** Scores the chunks that have no score yet; chunks that the filter excludes get none. At most one call. */
  score(keys: readonly ChunkKey[]): Promise<void>;
  /** Reads the records of scored chunks that were not read before. At most one call. */
  read(keys: readonly ChunkKey[]): Promise<void>;
}

const INT8_MAX = 127;

export function createNeighbourhood({
  reader,
  scores,
  vectors,
  records,
}: {
  readonly reader: GraphReader;
  readonly scores: HybridScores;
  readonly vectors: QuestionVectors;
  /** Records of chunks in the hybrid list that were read already, by id. */
  readonly records: ReadonlyMap<string, PassageKnowledge | null>;
}): Neighbourhood {
  const scored = new Map(scores.best.map((chunk) => [idOf(chunk), chunk]));
  const excluded = new Set<string>();
  const passages = new Map<string, Passage>();
  for (const [id, knowledge] of records) {
    const chunk = scored.get(id);
    if (chunk !== undefined) passages.set(id, createPassage(id, { scored: chunk, knowledge, vectors }));
  }
  return {
    scoreOf: (id) => scored.get(id),
    find: (id) => passages.get(id),
    passages,
    async score(keys) {
      const unscored = distinct(keys, (id) => !scored.has(id) && !excluded.has(id));
      if (unscored.length === 0) return;
      const found = await scores.scoresOf(unscored);
      for (const [at, key] of unscored.entries()) {
        const chunk = found[at] ?? null;
        if (chunk === null) excluded.add(idOf(key));
        else scored.set(idOf(key), chunk);
      }
    },
    async read(keys) {
      const unread = distinct(keys, (id) => scored.has(id) && !passages.has(id));
      if (unread.length === 0) return;
      const found = await reader.readPassages(unread);
      for (const [at, key] of unread.entries()) {
        const id = idOf(key);
        const chunk = scored.get(id);
        if (chunk !== undefined)
          passages.set(id, createPassage(id, { scored: chunk, knowledge: found[at] ?? null, vectors }));
      }
    },
  };
}

function distinct(keys: readonly ChunkKey[], accepts: (id: string) => boolean): readonly ChunkKey[] {
  const accepted = new Map<string, ChunkKey>();
  for (const { versionId, position } of keys) {
    const id = idOf({ versionId, position });
    if (accepts(id)) accepted.set(id, { versionId, position });
  }
  return [...accepted.values()];
}

function createPassage(
  id: string,
  {
    scored,
    knowledge,
    vectors,
  }: {
    readonly scored: ScoredChunk;
    readonly knowledge: PassageKnowledge | null;
    readonly vectors: QuestionVectors;
  },
): Passage {
  const rows = knowledge?.sentenceVectors ?? new Int8Array(0);
  const question = cosines(rows, vectors.question);
  const rest = vectors.rest === vectors.question ? question : cosines(rows, vectors.rest);
  const names = new Map<string, number>();
  for (const { name, sentence } of knowledge?.mentions ?? []) {
    const known = names.get(name);
    if (known === undefined || (question[sentence] ?? 0) > (question[known] ?? 0)) names.set(name, sentence);
  }
  return { id, scored, knowledge, nearness: { question, rest }, names };
}

function cosines(rows: Int8Array, vector: Float32Array): Float32Array {
  const dimensions = vector.length;
  const found = new Float32Array(dimensions === 0 ? 0 : Math.floor(rows.length / dimensions));
  for (let row = 0; row < found.length; row++) {
    let sum = 0;
    for (let at = 0, from = row * dimensions; at < dimensions; at++) {
      sum += (rows[from + at] ?? 0) * (vector[at] ?? 0);
    }
    found[row] = sum / INT8_MAX;
  }
  return found;
}

/** The largest of the numbers; 0 if there is none or all are negative. */
export function largest(numbers: Iterable<number>): number {
  let found = 0;
  for (const number of numbers) if (number > found) found = number;
  return found;
}
