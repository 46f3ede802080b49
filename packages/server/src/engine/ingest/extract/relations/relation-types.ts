/** What goes into the reading of relations and what comes out. */

import type { Span } from "../../../../domain/graph.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import type { TokenStates } from "../types/type-scores.ts";

/** A mention with how well it fits each node type of the schema, in the schema's order, 0…1. */
export interface TypedMention extends EntityMention {
  readonly typeScores: Float32Array;
}

/** A sentence of a document; all offsets are into the document's text, ranges into `tokens`. */
export interface RelationSentence {
  /** Index into the chunk's sentences. */
  readonly index: number;
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly TypedMention[];
  /** The sentence's vector and its tokens' states, of the model that embeds; `offset`: where the embedded text begins. */
  readonly encoded: EncodedSentence;
  readonly offset: number;
}

export interface EncodedSentence extends TokenStates {
  readonly vector: Float32Array;
  /** What the lower layers make of the text, [CLS] and [SEP] included; absent where only a part of it was cut out. */
  readonly lower?: Float32Array;
}

/** What "it" or "the company" at the beginning of a sentence may stand for: the document's subject, or that of the sentence before. */
export interface DistantSubject extends Span {
  /** As in a mention. */
  readonly typeScores: Float32Array;
}

/** A relation that a sentence may state. */
export interface RelationCandidate {
  /** Name of the edge type. */
  readonly type: string;
  readonly source: Span;
  readonly target: Span;
  /** Names of the node types that the ends are taken for, both allowed by the edge type. */
  readonly sourceType: string;
  readonly targetType: string;
  /** 0…1, calibrated: of candidates of .7 about seven in ten are stated. */
  readonly confidence: number;
  readonly sentence: number;
  readonly isNegated: boolean;
}
