/** Extracts an ontology's relations from the sentences of a chunk, without a language model. */

import type { EdgeType, NodeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import { isHedged } from "../statements/modality.ts";
import { isNegation } from "../statements/tagged-token.ts";
import { overlaps } from "../statements/unsettled-parts.ts";
import type { Candidate, SourceEnd } from "./candidates.ts";
import { valueKindOf } from "./edge-profile.ts";
import { createRelationReader, type ReaderModels, type RelationReading } from "./relation-reader.ts";
import type { DistantSubject, RelationCandidate, RelationSentence, TypedMention } from "./relation-types.ts";
import { calibrate, competeForPairs, type RelationModels, scoreCandidates } from "./score.ts";
import { pairOf, selectRelations } from "./select.ts";
import type { SentenceView, VerbFrame } from "./sentence-context.ts";
import { readRelationWeights } from "./weights.ts";
import { wordsOfName } from "./word-forms.ts";

/** Least score of what may be proposed. */
export const LEAST_SCORE = 0.2;

export interface ExtractionInput {
  /** In the order of the text. */
  readonly sentences: readonly RelationSentence[];
  /** What the document is about, where that is known. */
  readonly documentSubject: DistantSubject | null;
}

export interface RelationExtractor {
  /** Relations of at least the wanted confidence, by sentence, the surest first. */
  extract(input: ExtractionInput): Promise<readonly RelationCandidate[]>;
}

export interface ExtractorOptions extends ReaderModels {
  /** 0…1; LEAST_SCORE without. */
  readonly minConfidence?: number;
  /** The learned weights without. */
  readonly models?: RelationModels;
}

/** Made once for an ontology: embeds its edge types and examples. Deterministic; its memory is bounded. */
export async function createRelationExtractor(
  schema: OntologySchema,
  { minConfidence = LEAST_SCORE, models = readRelationWeights(), ...reading }: ExtractorOptions,
): Promise<RelationExtractor> {
  const reader = await createRelationReader(schema, reading);
  const decision = { schema, models, least: minConfidence, hasExamples: reader.hasExamples };
  return {
    async extract({ sentences, documentSubject }) {
      const found: RelationCandidate[] = [];
      let previous: DistantSubject | null = null;
      for (const sentence of sentences) {
        const distant = previous ?? documentSubject;
        const reading = await reader.read(sentence, distant === null ? [] : [distant]);
        found.push(...decide(reading, decision));
        previous = subjectOf(reading.view) ?? (reading.view.openingPronoun === null ? null : previous);
      }
      return found;
    },
  };
}

/** The name that a sentence begins with, before its first verb: what "he" or "it" in the next one is about. */
function subjectOf(view: SentenceView): DistantSubject | null {
  const first = view.mentions.find(
    ({ variantOf, kind }) => variantOf === null && (kind === "proper" || kind === "quoted"),
  );
  if (first === undefined || first.from > 2 || first.from >= view.firstVerb) return null;
  return { start: first.start, end: first.end, typeScores: first.typeScores };
}

interface Decision {
  readonly schema: OntologySchema;
  readonly models: RelationModels;
  readonly hasExamples: readonly boolean[];
  readonly least: number;
}

function decide(
  reading: RelationReading,
  { schema, models, least, hasExamples }: Decision,
): readonly RelationCandidate[] {
  const { view, candidates, rows, questions } = reading;
  const usesExamples = (index: number) => hasExamples[candidates[index]?.edge ?? -1] === true;
  const [taught, plain] = [true, false].map((wanted) =>
    questions.filter(([first = -1]) => usesExamples(first) === wanted),
  );
  const compete = (scores: Float64Array) => competeForPairs(scores, (index) => pairOf(candidates[index]));
  const ofTaught = compete(scoreCandidates(models.withExamples, rows, taught ?? []));
  const ofPlain = compete(scoreCandidates(models.plain, rows, plain ?? []));
  const scored = candidates.flatMap((candidate, index) => {
    const kind = usesExamples(index) ? "withExamples" : "plain";
    const score = (kind === "plain" ? ofPlain : ofTaught)[index] ?? 0;
    const confidence = calibrate(models[kind].calibration, score);
    const target = view.mentions[candidate.target];
    if (confidence < least || target === undefined) return [];
    return isDoubtful(view, candidate.source, target) ? [] : [{ candidate, target, confidence }];
  });
  return selectRelations(scored).flatMap(({ candidate, confidence }) => {
    return present({ view, schema, candidate, confidence }) ?? [];
  });
}

/** The verbs before the later of both ends. */
function frameBefore(view: SentenceView, source: SourceEnd, target: TypedMention): VerbFrame | undefined {
  const later = Math.max(source.range.from, target.from);
  return view.frames.findLast(({ to }) => to <= later);
}

/** A clause that is hedged, asked, supposed or left to others states nothing. */
function isDoubtful(view: SentenceView, source: SourceEnd, target: TypedMention): boolean {
  if (view.tokens.at(-1)?.text === "?") return true;
  if ([source.range, target].some((range) => overlaps(view.unsettled, range))) return true;
  const frame = frameBefore(view, source, target);
  return frame !== undefined && isHedged(view.tokens, frame, frame.subject?.from ?? frame.from);
}

interface Presented {
  readonly view: SentenceView;
  readonly schema: OntologySchema;
  readonly candidate: Candidate;
  readonly confidence: number;
}

function present({ view, schema, candidate, confidence }: Presented): RelationCandidate | null {
  const edge = schema.edgeTypes[candidate.edge];
  const target = view.mentions[candidate.target];
  if (edge === undefined || target === undefined) return null;
  const { source } = candidate;
  return {
    type: edge.name,
    source: spanOfSource(view, source),
    target: { start: target.start, end: target.end },
    sourceType: bestType(schema.nodeTypes, edge.sourceTypes, source.typeScores),
    targetType: targetTypeOf(schema.nodeTypes, edge, target),
    confidence,
    sentence: view.sentence.index,
    isNegated: isNegated(view, source, target),
  };
}

function spanOfSource(view: SentenceView, source: SourceEnd) {
  const near = source.distant ?? view.mentions[source.mention];
  return { start: near?.start ?? 0, end: near?.end ?? 0 };
}

/** The likeliest of the allowed types; of equals the first. */
function bestType(types: readonly NodeType[], allowed: readonly string[], scores: Float32Array): string {
  let best = { name: allowed[0] ?? "", score: -1 };
  for (const [index, { name }] of types.entries()) {
    const score = scores[index] ?? 0;
    if (allowed.includes(name) && score > best.score) best = { name, score };
  }
  return best.name;
}

function targetTypeOf(types: readonly NodeType[], edge: EdgeType, target: TypedMention): string {
  const isValue = target.kind === "date" || target.kind === "number";
  const fitting = edge.targetTypes.filter((name) => valueKindOf(wordsOfName(name)) === target.kind);
  return bestType(types, isValue && fitting.length > 0 ? fitting : edge.targetTypes, target.typeScores);
}

/** "did not marry X", "no longer part of X": a negation between the ends, or in the verbs before the target. */
function isNegated(view: SentenceView, source: SourceEnd, target: TypedMention): boolean {
  const frame = frameBefore(view, source, target);
  const isDenied =
    frame !== undefined && view.tokens.slice(Math.max(0, frame.from - 1), frame.to + 1).some(isNegation);
  return isDenied || (source.range.to <= target.from && view.between(source.range, target).isNegated);
}
