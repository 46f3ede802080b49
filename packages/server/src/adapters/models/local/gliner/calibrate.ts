/** Fits the thresholds of a reader, and what the scores of its relations are worth, to texts with what a reader of them would read. */
import { z } from "zod";
import { type ConfidenceMap, fitConfidence, type JudgedScore } from "../../../../domain/confidence-map.ts";
import type { EntityLabel, ReaderLabels } from "../../../../ports/entity-reader.ts";
import type { IdentifiedModel } from "../identify-model.ts";
import type { ModelHints } from "../manifest.ts";
import { ModelFault } from "../model-fault.ts";
import { openLocalReader } from "./reader.ts";

const name = z.string().trim().min(1).max(500);
const judgedText = z.strictObject({
  text: z.string().min(1).max(100_000),
  /** All entities of the text. */
  entities: z.array(z.strictObject({ text: name, type: name })).max(1_000),
  /** All relations of the text; absent where they were not judged. */
  relations: z
    .array(z.strictObject({ source: name, type: name, target: name }))
    .max(1_000)
    .optional(),
});
export type JudgedText = z.output<typeof judgedText>;

export interface Calibration {
  readonly entities: FittedThreshold;
  /** null for a model without relations, or a file without judged ones. */
  readonly relations: (FittedThreshold & { readonly confidence: ConfidenceMap }) | null;
}

export interface FittedThreshold {
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** What the model read, and what it should have read. */
  readonly read: number;
  readonly expected: number;
}

/** Everything above is judged: far below what is ever used. */
const LEAST_SCORE = 0.05;
/** Fewer say nothing. */
const LEAST_JUDGED = 20;
const MAX_TEXTS = 10_000;

/** One JSON object in each line. @throws ModelFault that names the line */
export function parseJudgedTexts(content: string): readonly JudgedText[] {
  const texts = content.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const parsed = judgedText.safeParse(parseJson(line));
    if (parsed.success) return [parsed.data];
    throw new ModelFault(`Line ${at + 1} is not as expected: ${z.prettifyError(parsed.error)}`);
  });
  if (texts.length > MAX_TEXTS) throw new ModelFault(`At most ${MAX_TEXTS} texts can be read.`);
  return texts;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

/** Reads the texts with the labels of all of them. @throws ModelFault when too little is judged */
export async function calibrateReader(
  model: IdentifiedModel,
  texts: readonly JudgedText[],
): Promise<Calibration> {
  const { reader: description } = model;
  if (description === null) throw new ModelFault(`${model.id} is no reader.`);
  const open = { threshold: LEAST_SCORE, relationThreshold: LEAST_SCORE, confidence: null };
  const reader = await openLocalReader({ ...model, reader: { ...description, ...open } });
  const labels = labelsOf(texts);
  const found: JudgedScore[] = [];
  const related: JudgedScore[] = [];
  try {
    for (const { text, entities, relations } of texts) {
      const reading = await reader.read(text, labels);
      const named = reading.entities.map(({ start, end, label }) => ({
        text: text.slice(start, end),
        type: labels.entities[label]?.name ?? "",
      }));
      const known = new Set(entities.map(idOf));
      for (const [at, entity] of named.entries())
        found.push({ score: reading.entities[at]?.score ?? 0, isTrue: known.has(idOf(entity)) });
      const facts = new Set(relations?.map(({ source, type, target }) => idOf([source, type, target])));
      for (const { source, target, label, confidence } of relations === undefined ? [] : reading.relations) {
        const ends = [named[source]?.text, labels.relations[label]?.label, named[target]?.text];
        related.push({ score: confidence, isTrue: facts.has(idOf(ends)) });
      }
    }
  } finally {
    await reader.close();
  }
  const count = (listOf: (text: JudgedText) => readonly unknown[]) =>
    texts.reduce((sum, text) => sum + new Set(listOf(text).map(idOf)).size, 0);
  const expected = { entities: count((one) => one.entities), relations: count((one) => one.relations ?? []) };
  requireEnough("entities", found, expected.entities);
  const hasRelations = description.relationsGraph !== null && expected.relations > 0;
  if (hasRelations) requireEnough("relations", related, expected.relations);
  return {
    entities: fitThreshold(found, expected.entities),
    relations: hasRelations
      ? { ...fitThreshold(related, expected.relations), confidence: fitConfidence(related) }
      : null,
  };
}

/** What `kcs-model.json` keeps of it. */
export function hintsOf({ entities, relations }: Calibration): ModelHints {
  return {
    threshold: entities.threshold,
    ...(relations === null
      ? {}
      : { relationThreshold: relations.threshold, relationConfidence: relations.confidence }),
  };
}

/**
 * The threshold with the best F1, in the middle between two scores. `expected`: what should have been read, found or not.
 * Of equal ones the highest.
 */
export function fitThreshold(found: readonly JudgedScore[], expected: number): FittedThreshold {
  const sorted = found.toSorted((one, other) => other.score - one.score);
  let best: FittedThreshold | null = null;
  let right = 0;
  for (const [at, { score, isTrue }] of sorted.entries()) {
    if (isTrue) right++;
    const next = sorted[at + 1]?.score ?? LEAST_SCORE;
    if (next === score) continue;
    const [precision, recall] = [right / (at + 1), Math.min(1, right / expected)];
    const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    if (best !== null && f1 <= best.f1) continue;
    const threshold = Math.round(1e4 * Math.max(0.01, Math.min(0.99, (score + next) / 2))) / 1e4;
    best = { threshold, precision, recall, f1, read: at + 1, expected };
  }
  return best ?? { threshold: 0.99, precision: 0, recall: 0, f1: 0, read: 0, expected };
}

function requireEnough(what: string, found: readonly JudgedScore[], expected: number): void {
  if (expected >= LEAST_JUDGED && found.some(({ isTrue }) => isTrue)) return;
  throw new ModelFault(
    `The file has ${expected} ${what}, and the model reads ${found.filter(({ isTrue }) => isTrue).length} of them: ` +
      `at least ${LEAST_JUDGED}, and one that the model reads, are needed to fit a threshold.`,
  );
}

/** The types of all texts; relations may be between any. */
function labelsOf(texts: readonly JudgedText[]): ReaderLabels {
  const names = [...new Set(texts.flatMap(({ entities }) => entities.map(({ type }) => type)))].toSorted();
  const kinds = new Set(texts.flatMap(({ relations = [] }) => relations.map(({ type }) => type)));
  const ends = [...names.keys()];
  return {
    entities: names.map((type): EntityLabel => ({ name: type, description: "" })),
    relations: [...kinds].toSorted().map((label) => ({ label, sources: ends, targets: ends })),
  };
}

function idOf(value: unknown): string {
  return JSON.stringify(value).toLowerCase();
}
