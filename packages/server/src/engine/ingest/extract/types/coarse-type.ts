/** Broad types of mentions, for projects whose schema grows from their data. */
import { ANCHORS, type Anchor } from "./anchors.ts";
import { createCueScorer } from "./cue-scores.ts";
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
  /** How likely the mention is no entity, or a wrong span, 0…1; 0 where the form alone decides. */
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

/** Told by the form of a mention, or not among what the weights were learned from. */
const unlearned: ReadonlySet<Anchor> = new Set(["date", "quantity", "group", "substance"]);

const typeOfKind = { date: "Date", number: "Quantity", demonym: "Group" } as const;

const anchorTypes = ANCHORS.map((readable, anchor) => ({
  readable,
  head: readable,
  anchor,
  examples: new Set<string>(),
}));

/** Gives the broad type of each mention of a sentence. Synchronous, deterministic, keeps no text. */
export function createCoarseTyper(
  weights: Weights = readWeights(),
): (sentence: TypedSentence) => readonly CoarseScore[] {
  const scoreSpans = createSpanScorer(weights);
  const cue = createCueScorer(anchorTypes, weights);
  return ({ tokens, mentions, states, offset }) => {
    const centred = centredWordStates(tokens, { states, offset, mean: weights.mean });
    const { anchors, none } = scoreSpans(tokens, mentions, centred);
    return mentions.map((mention, index) => {
      const { kind } = mention;
      const cues = cue(tokens, mention);
      const row = anchors
        .subarray(index * NETWORK.anchors, (index + 1) * NETWORK.anchors)
        .map((logit, anchor) => logit + cues[anchor]!);
      const learned = bestType(row, none[index]!);
      return kind === "date" || kind === "number" || kind === "demonym"
        ? { type: typeOfKind[kind], confidence: 1, none: 0 }
        : learned;
    });
  };
}

function bestType(anchors: Float32Array, none: number): CoarseScore {
  const highest = Math.max(none, ...anchors.filter((_, index) => !unlearned.has(ANCHORS[index]!)));
  const rest = Math.exp(none - highest);
  const shares = new Map<CoarseType, number>();
  let sum = 0;
  for (const [index, anchor] of ANCHORS.entries()) {
    if (unlearned.has(anchor)) continue;
    const share = Math.exp(anchors[index]! - highest);
    const type = typeOfAnchor[anchor];
    shares.set(type, (shares.get(type) ?? 0) + share);
    sum += share;
  }
  let best: CoarseType = "Other";
  for (const [type, share] of shares) if (share > (shares.get(best) ?? 0)) best = type;
  return { type: best, confidence: (shares.get(best) ?? 0) / sum, none: rest / (rest + sum) };
}
