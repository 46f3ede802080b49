/** Joins what the steps of a dynamic answer found. */
import type { AnswerEntity, AnswerRelationship, RankedChunk } from "../../../domain/query.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import type { Step } from "./steps.ts";

const MAX_ENTITIES = 20;
const MAX_RELATIONSHIPS = 20;
/** How fast a find counts less below the step's best: at three quarters of its score a third. */
const NEARNESS = 4;

/**
 * Chunks by score, each once; ties as the steps had them. A chunk scores what the question itself gave it, and where a
 * step found it among its first `depth` and near its own best, that step's weight of what is left to 1.
 */
export function mergeChunks(
  steps: readonly Step[],
  { limit, depth }: { readonly limit: number; readonly depth: number },
): readonly RankedChunk[] {
  const found = new Map<string, RankedChunk>();
  for (const [at, step] of steps.entries()) {
    const { weight, answer } = step;
    const best = answer.chunks[0]?.similarity ?? 0;
    for (const chunk of at === 0 ? answer.chunks : relevantChunks(step).slice(0, depth)) {
      const key = `${chunk.versionId}/${chunk.position}`;
      const known = found.get(key)?.similarity ?? 0;
      const gain = best > 0 ? (chunk.similarity / best) ** NEARNESS * chunk.similarity : 0;
      const similarity = at === 0 ? chunk.similarity : known + (1 - known) * weight * gain;
      found.set(key, { ...chunk, similarity: Math.min(1, similarity) });
    }
  }
  return [...found.values()].sort((one, other) => other.similarity - one.similarity).slice(0, limit);
}

/** A passage that only resembles the rest of a follow-up would be raised by each of them. */
function relevantChunks({ about, answer }: Step): readonly RankedChunk[] {
  if (about === null) return answer.chunks;
  return answer.chunks.filter(({ text }) => ` ${normalizeName(text)} `.includes(` ${about} `));
}

/** Entities and relationships of all steps, each once, the question's own first. */
export function mergeGraphs(steps: readonly Step[]): {
  readonly entities: readonly AnswerEntity[];
  readonly relationships: readonly AnswerRelationship[];
} {
  const entities = new Map<string, AnswerEntity>();
  const relationships = new Map<string, AnswerRelationship>();
  for (const { answer } of steps) {
    for (const entity of answer.entities) addOnce(entities, `${entity.type}\n${entity.name}`, entity);
    for (const relationship of answer.relationships) {
      const { source, type, target } = relationship;
      addOnce(relationships, `${source}\n${type}\n${target}`, relationship);
    }
  }
  return {
    entities: [...entities.values()].slice(0, MAX_ENTITIES),
    relationships: [...relationships.values()].slice(0, MAX_RELATIONSHIPS),
  };
}

function addOnce<T>(known: Map<string, T>, key: string, value: T): void {
  if (!known.has(key)) known.set(key, value);
}
