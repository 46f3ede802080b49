/** Tells the mentions that are like the targets of an edge type's examples, where their types do not fit. */

import type { MentionKind } from "../mentions/entity-mention.ts";
import type { WordVectors } from "../pairs/word-vectors.ts";
import { dotAll } from "../vectors.ts";
import type { CandidateSearch } from "./candidates.ts";
import { likePhrase } from "./example-ends.ts";
import { nearest, wordsVector } from "./example-features.ts";
import type { EdgePrototypes, JoinedExamples } from "./feature-input.ts";
import type { SentenceView } from "./sentence-context.ts";

const LEAST = { words: 0.6, target: 0.45 };

export interface Likeness {
  readonly view: SentenceView;
  readonly prototypes: readonly (EdgePrototypes | null)[];
  readonly examples: JoinedExamples;
  readonly vectors: WordVectors;
}

/** The answers for one sentence. Alike by the words or by the model's states. */
export function createExampleLikeness({
  view,
  prototypes,
  examples,
  vectors,
}: Likeness): CandidateSearch["isLikeExample"] {
  const insides = new Map<number, Float32Array | null>();
  const states = new Map<number, Float64Array>();
  return (edge, index) => {
    const prototype = prototypes[edge] ?? null;
    const mention = view.mentions[index];
    if (prototype === null || mention === undefined) return false;
    if (!isOfKind(mention.kind, prototype)) return false;
    if (likePhrase(view, index, prototype) > 0) return true;
    let inside = insides.get(index);
    if (inside === undefined) {
      inside = wordsVector(view.wordsOf(index), vectors);
      insides.set(index, inside);
    }
    if (nearest(inside, prototype.targets) >= LEAST.words) return true;
    let near = states.get(index);
    if (near === undefined) {
      near = dotAll(view.stateOf(mention), examples.targets);
      states.set(index, near);
    }
    for (let at = examples.firsts[edge] ?? 0; at < (examples.firsts[edge + 1] ?? 0); at++)
      if (near[at]! >= LEAST.target) return true;
    return false;
  };
}

/** Quoted names and names in capitals stand for one another. */
function isOfKind(kind: MentionKind, { kinds }: EdgePrototypes): boolean {
  if (kinds.has(kind)) return true;
  return (kind === "quoted" && kinds.has("proper")) || (kind === "proper" && kinds.has("quoted"));
}
