/** Tells the mentions that are like the targets of an edge type's examples, where their types do not fit. */

import type { MentionKind } from "../mentions/entity-mention.ts";
import type { CandidateSearch } from "./candidates.ts";
import { likePhrase } from "./example-ends.ts";
import { nearest, wordsVector } from "./example-features.ts";
import type { EdgePrototypes } from "./feature-input.ts";
import type { SentenceView } from "./sentence-context.ts";
import { dot, type WordVectors } from "./word-vectors.ts";

const LEAST = { words: 0.6, target: 0.45 };

export interface Likeness {
  readonly view: SentenceView;
  readonly prototypes: readonly (EdgePrototypes | null)[];
  readonly vectors: WordVectors;
}

/** The answers for one sentence. Alike by the words or by the model's states. */
export function createExampleLikeness({
  view,
  prototypes,
  vectors,
}: Likeness): CandidateSearch["isLikeExample"] {
  const insides = new Map<number, Float32Array | null>();
  return (edge, index) => {
    const prototype = prototypes[edge] ?? null;
    const mention = view.mentions[index];
    if (prototype === null || mention === undefined) return false;
    const state = view.stateOf(mention);
    if (!isOfKind(mention.kind, prototype)) return false;
    if (likePhrase(view, index, prototype) > 0) return true;
    let inside = insides.get(index);
    if (inside === undefined) {
      inside = wordsVector(view.wordsOf(index), vectors);
      insides.set(index, inside);
    }
    if (nearest(inside, prototype.targets) >= LEAST.words) return true;
    return prototype.states.some(({ target }) => dot(target, state) >= LEAST.target);
  };
}

/** Quoted names and names in capitals stand for one another. */
function isOfKind(kind: MentionKind, { kinds }: EdgePrototypes): boolean {
  if (kinds.has(kind)) return true;
  return (kind === "quoted" && kinds.has("proper")) || (kind === "proper" && kinds.has("quoted"));
}
