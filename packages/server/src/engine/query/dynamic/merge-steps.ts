/** Merges the results of the steps of a dynamic answer. */
import type {
  Answer,
  AnswerEntity,
  AnswerRelationship,
  OtherTimes,
  Question,
  QuotedSentence,
  RankedChunk,
} from "../../../domain/query.ts";
import { keepPerDocument } from "../../index/per-document.ts";
import { relevantChunks, type Step } from "./steps.ts";

const MAX_ENTITIES = 20;
const MAX_RELATIONSHIPS = 20;
/** How fast the gain falls below the best chunk of a step: at ¾ of its score it is about ⅓. */
const GAIN_EXPONENT = 4;

/**
 * Distinct chunks, best first; ties keep the order of the steps. A chunk starts with its score for the
 * question itself. Each step that has it among its first `depth` chunks adds a share of what is missing to 1
 * (noisy-or): the step's weight times the chunk's score there, reduced the further that is below the best of
 * the step. Its `similarity` is no more than what the question itself or a step gave it, and falls along the list. `quotes` are among the first
 * `returned`, wherever they stand in this order: see {@link canReturn}.
 */
export function mergeChunks(
  steps: readonly Step[],
  {
    limit,
    depth,
    returned = limit,
    perDocument = null,
    quotes = [],
  }: {
    readonly limit: number;
    readonly depth: number;
    readonly returned?: number;
    readonly perDocument?: number | null;
    readonly quotes?: readonly QuotedSentence[];
  },
): readonly RankedChunk[] {
  const found = new Map<string, MergedChunk>();
  for (const [at, step] of steps.entries()) {
    const { weight, answer } = step;
    const best = answer.chunks[0]?.similarity ?? 0;
    for (const chunk of countingChunks(step, at, depth)) {
      const { similarity } = chunk;
      const key = keyOf(chunk);
      const known = found.get(key);
      const gain = best > 0 ? (similarity / best) ** GAIN_EXPONENT * similarity : 0;
      const before = known?.score ?? 0;
      found.set(key, {
        // The question itself did not find a new chunk, so this is no nearer to it than those that it found.
        chunk: known?.chunk ?? (at === 0 ? chunk : { ...chunk, cosine: 0, fused: 0 }),
        score: at === 0 ? similarity : before + (1 - before) * weight * gain,
        earned: Math.max(known?.earned ?? 0, at === 0 ? similarity : weight * similarity),
      });
    }
  }
  for (const quote of quotes) if (!found.has(keyOf(quote))) addQuoted(found, keyOf(quote), steps);
  const ordered = [...found.values()]
    .sort((one, other) => other.score - one.score)
    .map((merged) => ({ ...merged, sourceDocId: merged.chunk.sourceDocId }));
  let most = 1;
  const isQuoted = new Set(quotes.map(keyOf));
  const kept = keepQuoted(ordered, {
    returned,
    perDocument,
    isQuoted: ({ chunk }) => isQuoted.has(keyOf(chunk)),
  });
  return kept.slice(0, limit).map(({ chunk, earned }) => {
    most = Math.min(most, earned);
    return { ...chunk, similarity: most };
  });
}

/** Whether an answer of so many chunks, and so many of a document, can have all of these. */
export function canReturn(
  quotes: readonly QuotedSentence[],
  { returned, perDocument }: { readonly returned: number; readonly perDocument: number | null },
): boolean {
  const distinct = [...new Map(quotes.map((quote) => [keyOf(quote), quote])).values()];
  return distinct.length <= returned && keepPerDocument(distinct, perDocument).length === distinct.length;
}

/** The chunks in their order, without those that take the places of quoted ones: among the first `returned`, and of a document. */
function keepQuoted<Chunk extends { readonly sourceDocId: string }>(
  ordered: readonly Chunk[],
  {
    returned,
    perDocument,
    isQuoted,
  }: {
    readonly returned: number;
    readonly perDocument: number | null;
    readonly isQuoted: (chunk: Chunk) => boolean;
  },
): readonly Chunk[] {
  const quoted = ordered.filter(isQuoted);
  const others = ordered.filter((chunk) => !isQuoted(chunk));
  // Of each document the quoted ones count first.
  const allowed = new Set(keepPerDocument([...quoted, ...others], perDocument));
  const kept = ordered.filter((chunk) => allowed.has(chunk));
  const first = new Set([
    ...quoted,
    ...kept.filter((chunk) => !isQuoted(chunk)).slice(0, returned - quoted.length),
  ]);
  return [...kept.filter((chunk) => first.has(chunk)), ...kept.filter((chunk) => !first.has(chunk))];
}

/** A chunk that no step has among those that count. */
function addQuoted(found: Map<string, MergedChunk>, key: string, steps: readonly Step[]): void {
  for (const { weight, answer } of steps) {
    const chunk = answer.chunks.find((each) => keyOf(each) === key);
    if (chunk === undefined) continue;
    const { similarity } = chunk;
    found.set(key, { chunk: { ...chunk, cosine: 0, fused: 0 }, score: 0, earned: weight * similarity });
    return;
  }
}

function keyOf({ versionId, position }: Pick<QuotedSentence, "versionId" | "position">): string {
  return `${versionId}/${position}`;
}

/** The chunks of a step that count: all of the question itself, the first `depth` relevant ones of each other step. */
function countingChunks(step: Step, place: number, depth: number): readonly RankedChunk[] {
  return place === 0 ? step.answer.chunks : relevantChunks(step).slice(0, depth);
}

/** The steps as a part of the answer, if the question requests them; `depth` as for {@link mergeChunks}. */
export function listSteps(question: Question, taken: readonly Step[], depth: number): Pick<Answer, "steps"> {
  if (question.listSteps !== true) return {};
  const steps = taken.map((step, at) => ({
    query: step.query,
    name: step.about,
    found: countingChunks(step, at, depth).map(({ versionId, position }) => ({ versionId, position })),
  }));
  return { steps };
}

interface MergedChunk {
  readonly chunk: RankedChunk;
  /** Orders the list, 0…1. */
  readonly score: number;
  readonly earned: number;
}

/** The distinct entities of all steps, and relationships between these, those of the question itself first. */
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
  const kept = [...entities.values()].slice(0, MAX_ENTITIES);
  const names = new Set(kept.map(({ name }) => name));
  return {
    entities: kept,
    relationships: [...relationships.values()]
      .filter(({ source, target }) => names.has(source) && names.has(target))
      .slice(0, MAX_RELATIONSHIPS),
  };
}

function addOnce<T>(known: Map<string, T>, key: string, value: T): void {
  if (!known.has(key)) known.set(key, value);
}

/** What any step found of another time is of another time: all ask as of the same. */
export function mergeOtherTimes(steps: readonly Step[]): OtherTimes | null {
  const all = steps.flatMap(({ answer }) => answer.otherTimes ?? []);
  if (steps[0]?.answer.otherTimes === undefined) return null;
  return {
    places: all.flatMap(({ places }) => places),
    holding: all.flatMap(({ holding }) => holding),
    latest: all.flatMap(({ latest }) => latest),
    earlier: all.flatMap(({ earlier }) => earlier),
    // A question of the past asks for no other time, and finds nothing.
    isNow: all.some(({ places, isNow }) => isNow && places.length > 0),
  };
}
