/** The passages that one question has touched: their scores, records, and how near their sentences are to the question. */
import type { ChunkKey } from "../../../domain/document.ts";
import type { PassageKnowledge } from "../../../domain/graph.ts";
import { type GraphReader, type HybridScores, idOf, type ScoredChunk } from "./graph-reader.ts";

export interface Passage {
  readonly id: string;
  readonly scored: ScoredChunk;
  /** null where no record is kept. */
  readonly knowledge: PassageKnowledge | null;
  /** The cosine of each sentence with the question, and with the rest of it beside the names that it links. */
  readonly nearness: Nearness;
  /** The sentence of each name that is mentioned: the one nearest to the question. */
  readonly names: ReadonlyMap<string, number>;
}

export interface Nearness {
  readonly question: Float32Array;
  readonly rest: Float32Array;
}

export interface QuestionVectors {
  /** Unit length. */
  readonly question: Float32Array;
  readonly rest: Float32Array;
}

export interface Neighbourhood {
  /** Everything that was scored so far. */
  scoreOf(id: string): ScoredChunk | undefined;
  /** Those of the passages whose records were read. */
  find(id: string): Passage | undefined;
  readonly passages: ReadonlyMap<string, Passage>;
  /** Scores what was not scored before; chunks that the filter excludes stay unknown. One call at most. */
  score(keys: readonly ChunkKey[]): Promise<void>;
  /** Reads records of chunks that have a score and were not read before. One call at most. */
  read(keys: readonly ChunkKey[]): Promise<void>;
}

const INT8_MAX = 127;

export function createNeighbourhood({
  reader,
  scores,
  vectors,
  records: known,
}: {
  readonly reader: GraphReader;
  readonly scores: HybridScores;
  readonly vectors: QuestionVectors;
  /** Records that were read before, by id, of chunks of the hybrid list. */
  readonly records: ReadonlyMap<string, PassageKnowledge | null>;
}): Neighbourhood {
  const scored = new Map(scores.best.map((chunk) => [idOf(chunk), chunk]));
  const refused = new Set<string>();
  const passages = new Map<string, Passage>();
  for (const [id, knowledge] of known) {
    const chunk = scored.get(id);
    if (chunk !== undefined) passages.set(id, createPassage(id, { scored: chunk, knowledge, vectors }));
  }
  return {
    scoreOf: (id) => scored.get(id),
    find: (id) => passages.get(id),
    passages,
    async score(keys) {
      const wanted = distinct(keys, (id) => !scored.has(id) && !refused.has(id));
      if (wanted.length === 0) return;
      const found = await scores.scoresOf(wanted);
      for (const [at, key] of wanted.entries()) {
        const chunk = found[at] ?? null;
        if (chunk === null) refused.add(idOf(key));
        else scored.set(idOf(key), chunk);
      }
    },
    async read(keys) {
      const wanted = distinct(keys, (id) => scored.has(id) && !passages.has(id));
      if (wanted.length === 0) return;
      const records = await reader.readPassages(wanted);
      for (const [at, key] of wanted.entries()) {
        const id = idOf(key);
        const chunk = scored.get(id);
        if (chunk !== undefined)
          passages.set(id, createPassage(id, { scored: chunk, knowledge: records[at] ?? null, vectors }));
      }
    },
  };
}

function distinct(keys: readonly ChunkKey[], isWanted: (id: string) => boolean): readonly ChunkKey[] {
  const wanted = new Map<string, ChunkKey>();
  for (const { versionId, position } of keys) {
    const id = idOf({ versionId, position });
    if (isWanted(id)) wanted.set(id, { versionId, position });
  }
  return [...wanted.values()];
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

/** The largest of the numbers; 0 without any, or if all are negative. */
export function largest(numbers: Iterable<number>): number {
  let found = 0;
  for (const number of numbers) if (number > found) found = number;
  return found;
}
