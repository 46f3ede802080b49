/** How far the ends and the place of a candidate are like those of an edge type's examples. */

import { nearestOf } from "./example-features.ts";
import { type CandidateView, type EdgePrototypes, type FeatureInput, memoryKey } from "./feature-input.ts";
import type { TypedMention } from "./relation-types.ts";
import type { SentenceView } from "./sentence-context.ts";
import { standardise } from "./state-features.ts";

export const endNames = [
  "exampleSameTarget",
  "exampleSameElsewhere",
  "exampleTargetLead",
  "exampleAfter",
  "exampleVerb",
  "exampleCopula",
  "exampleSourceFirst",
  "exampleDistance",
] as const;

const HEAD_SHARE = 0.6;

/** 1 for a phrase that is one of the examples' targets, less for one that ends with the same noun. */
export function likePhrase(view: SentenceView, target: number, { phrases }: EdgePrototypes): number {
  const words = view.wordsOf(target);
  const isTerm = view.mentions[target]?.kind === "noun";
  let best = 0;
  for (const phrase of phrases) {
    const isSame = phrase.length === words.length && words.every(({ lemma }, at) => lemma === phrase[at]);
    if (isSame) return 1;
    if (isTerm && words.at(-1)?.lemma === phrase.at(-1)) best = HEAD_SHARE;
  }
  return best;
}

export function writeLikeEnds(row: number[], view: CandidateView, input: FeatureInput): void {
  const { candidate, target, frame } = view;
  const { edge, target: at } = candidate;
  const prototype = input.prototypes[edge] ?? null;
  const mention = input.view.mentions[at];
  if (prototype === null || mention === undefined) {
    row.push(...endNames.map(() => 0));
    return;
  }
  const phrases = phrasesLike(input, at);
  const elsewhere = phrases.raw.reduce(
    (most, value, other) => (other === edge ? most : Math.max(most, value)),
    0,
  );
  const words = wordsLike(input, at);
  row.push(phrases.raw[edge] ?? 0, elsewhere, words.relative[edge] ?? 0);
  row.push(
    nearestOf(input, {
      key: memoryKey("after", at),
      edge,
      words: target.after,
      prototypes: prototype.after,
    }),
  );
  row.push(frame === null ? 0 : (prototype.verbs.get(frame.head.stems[0]) ?? 0));
  writePlace(row, view, { prototype, mention });
}

function phrasesLike({ states, prototypes, view }: FeatureInput, at: number) {
  const key = memoryKey("phrases", at);
  const known = states.get(key);
  if (known !== undefined) return known;
  const made = standardise(
    Float32Array.from(prototypes, (prototype) => (prototype === null ? 0 : likePhrase(view, at, prototype))),
  );
  states.set(key, made);
  return made;
}

function wordsLike(input: FeatureInput, at: number) {
  const { states, prototypes, view } = input;
  const key = memoryKey("words", at);
  const known = states.get(key);
  if (known !== undefined) return known;
  const inside = { key: memoryKey("inside", at), words: view.wordsOf(at) };
  const made = standardise(
    Float32Array.from(prototypes, (prototype, edge) =>
      prototype === null ? 0 : nearestOf(input, { ...inside, edge, prototypes: prototype.targets }),
    ),
  );
  states.set(key, made);
  return made;
}

interface Place {
  readonly prototype: EdgePrototypes;
  readonly mention: TypedMention;
}

function writePlace(
  row: number[],
  { candidate, between }: CandidateView,
  { prototype, mention }: Place,
): void {
  const { from } = candidate.source.range;
  const agrees = (mark: boolean, share: number) => (mark ? share : 1 - share);
  let nearestDistance = 0;
  for (const tokens of prototype.distances)
    nearestDistance = Math.max(nearestDistance, Math.exp(-Math.abs(tokens - between.tokens) / 6));
  row.push(
    agrees(between.isCopula && from < mention.from, prototype.copula),
    agrees(from <= 2, prototype.sourceFirst),
    nearestDistance,
  );
}
