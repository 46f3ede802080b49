/** Broad types of mentions, for projects whose schema grows from their data. */
import { ANCHORS, type Anchor } from "./anchors.ts";
import type { TypedSentence } from "./type-scores.ts";
import { createSpanScorer } from "./typing-network.ts";
import { NETWORK, readWeights, type Weights } from "./weights.ts";
import { centredWordStates } from "./word-states.ts";

export type CoarseType =
  | "Person"
  | "Organization"
  | "Location"
  | "Date"
  | "Event"
  | "Work"
  | "Product"
  | "Group"
  | "Quantity"
  | "Term"
  | "Other";

export interface CoarseScore {
  readonly type: CoarseType;
  /** Share of the type among all types, 0…1; 1 where the form alone decides (dates, amounts, nationalities). */
  readonly confidence: number;
  /** How likely the mention is no entity, or a wrong span, 0…1. */
  readonly none: number;
}

const typeOfAnchor: Readonly<Record<Anchor, CoarseType>> = {
  person: "Person",
  organization: "Organization",
  location: "Location",
  date: "Date",
  event: "Event",
  work: "Work",
  product: "Product",
  group: "Group",
  quantity: "Quantity",
  term: "Term",
  award: "Other",
  substance: "Term",
  method: "Term",
};

const typeOfKind = { date: "Date", number: "Quantity", demonym: "Group" } as const;

/** Gives the broad type of each mention of a sentence. Synchronous, deterministic, keeps no text. */
export function createCoarseTyper(
  weights: Weights = readWeights(),
): (sentence: TypedSentence) => readonly CoarseScore[] {
  const scoreSpans = createSpanScorer(weights);
  return ({ tokens, mentions, states, offset }) => {
    const centred = centredWordStates(tokens, { states, offset, mean: weights.mean });
    const { anchors, none } = scoreSpans(tokens, mentions, centred);
    return mentions.map(({ kind }, index) => {
      const row = anchors.subarray(index * NETWORK.anchors, (index + 1) * NETWORK.anchors);
      const learned = bestType(row, none[index]!);
      return kind === "date" || kind === "number" || kind === "demonym"
        ? { type: typeOfKind[kind], confidence: 1, none: learned.none }
        : learned;
    });
  };
}

function bestType(anchors: Float32Array, none: number): CoarseScore {
  const highest = Math.max(none, ...anchors);
  const rest = Math.exp(none - highest);
  const shares = new Map<CoarseType, number>();
  let sum = 0;
  for (const [index, anchor] of ANCHORS.entries()) {
    const share = Math.exp(anchors[index]! - highest);
    const type = typeOfAnchor[anchor];
    shares.set(type, (shares.get(type) ?? 0) + share);
    sum += share;
  }
  let best: CoarseType = "Other";
  for (const [type, share] of shares) if (share > (shares.get(best) ?? 0)) best = type;
  return { type: best, confidence: (shares.get(best) ?? 0) / sum, none: rest / (rest + sum) };
}
