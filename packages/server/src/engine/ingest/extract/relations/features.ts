/** Describes each candidate in numbers that mean the same in every ontology, so that weights learned on some serve all. */

import type { TokenRange } from "../statements/tagged-token.ts";
import type { Candidate } from "./candidates.ts";
import { type ComparedColumns, comparisonNames, writeComparisons } from "./compare-features.ts";
import { endNames, writeLikeEnds } from "./example-ends.ts";
import { exampleNames, writeExampleFeatures } from "./example-features.ts";
import type { CandidateView, FeatureInput } from "./feature-input.ts";
import type { BetweenContext, ContextWord, SentenceView, VerbFrame } from "./sentence-context.ts";
import { shapeNames, writeShape } from "./shape-features.ts";
import { stateNames, writeStateFeatures } from "./state-features.ts";

const triggerNames = [
  "triggerBefore",
  "triggerNear",
  "triggerAfter",
  "triggerBetween",
  "triggerAfterSource",
  "triggerBeforeSource",
  "triggerInTarget",
  "triggerVerb",
  "triggerPreposition",
  "triggerWithPreposition",
] as const;

/** In the order of the rows' numbers. */
export const featureNames: readonly string[] = [
  ...triggerNames,
  ...shapeNames,
  ...exampleNames,
  ...stateNames,
  ...endNames,
  ...comparisonNames,
];

const column = (name: string) => featureNames.indexOf(name);

const compared: ComparedColumns = {
  triggers: ["triggerBefore", "triggerAfter", "triggerBetween", "triggerInTarget"].map(column),
  fit: column("shareProduct"),
  example: column("examplePair"),
  first: column(comparisonNames[0]),
};

/** A row of numbers for each candidate, in the order of `featureNames`. */
export function describeCandidates(input: FeatureInput): readonly Float64Array[] {
  const betweens = new Map<number, BetweenContext>();
  const rows = input.candidates.map((candidate) => {
    const view = viewCandidate(input, candidate, betweens);
    const row: number[] = [];
    writeTriggers(row, view, input);
    writeShape(row, view, input.view);
    writeExampleFeatures(row, view, input);
    writeStateFeatures(row, view, input);
    writeLikeEnds(row, view, input);
    const values = new Float64Array(featureNames.length);
    values.set(row);
    return values;
  });
  for (const group of input.groups)
    writeComparisons({ rows, candidates: input.candidates, columns: compared }, group);
  return rows;
}

function viewCandidate(
  { view, edges }: FeatureInput,
  candidate: Candidate,
  betweens: Map<number, BetweenContext>,
): CandidateView {
  const profile = edges[candidate.edge];
  const target = view.mentions[candidate.target];
  if (profile === undefined || target === undefined)
    throw new RangeError("a candidate names what is not there");
  const { source } = candidate;
  const key = (source.mention + 4) * 1024 + candidate.target;
  let between = betweens.get(key);
  if (between === undefined) {
    between = view.between(source.range, target);
    betweens.set(key, between);
  }
  return {
    candidate,
    profile,
    target: view.contextOf(candidate.target),
    source: source.mention >= 0 ? view.contextOf(source.mention) : view.contextAt(source.range),
    between,
    frame: frameBefore(view, target),
  };
}

function frameBefore(view: SentenceView, target: TokenRange): VerbFrame | null {
  let found: VerbFrame | null = null;
  for (const frame of view.frames) {
    if (frame.to > target.from) break;
    if ((view.cover[frame.head.at] ?? -1) < 0) found = frame;
  }
  return found;
}

function bestTrigger(words: readonly ContextWord[], triggers: ReadonlyMap<string, number>): number {
  let best = 0;
  for (const { stems } of words) {
    for (const stem of stems) {
      const weight = triggers.get(stem) ?? 0;
      if (weight > best) best = weight;
    }
  }
  return best;
}

const isHead = (word: ContextWord) => word.isVerb || word.isNoun;

function writeTriggers(row: number[], view: CandidateView, input: FeatureInput): void {
  const { view: sentence } = input;
  const { candidate, profile, target, source, between, frame } = view;
  const { triggers } = profile;
  const near = target.before.filter(isHead).slice(0, 2);
  const before = bestTrigger(target.before, triggers);
  const nearest = bestTrigger(near, triggers);
  const ofVerb = frame === null ? 0 : bestTrigger([frame.head], triggers);
  const hasPreposition = profile.prepositions.has(target.preposition) ? 1 : 0;
  const inTarget = bestTrigger(sentence.wordsOf(candidate.target), triggers);
  row.push(
    before,
    nearest,
    bestTrigger(target.after, triggers),
    bestTrigger(between.words, triggers),
    bestTrigger(source.after.filter(isHead), triggers),
    bestTrigger(source.before.filter(isHead).slice(0, 2), triggers),
    inTarget,
    ofVerb,
    hasPreposition,
    hasPreposition * nearest,
  );
}
