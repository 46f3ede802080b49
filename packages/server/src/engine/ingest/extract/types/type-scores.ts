/** What the typing of mentions takes and gives. */

import type { FactReading } from "../learned/fact-reading.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";

/** Hidden states of the bundled model for a text, one row for each of its tokens. */
export interface TokenStates {
  /** `starts.length` rows of `dimensions` numbers. */
  readonly states: Float32Array;
  readonly dimensions: number;
  /** UTF-16 code units of each token's word in the text that was embedded; `ends` are exclusive. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** What the bundled model reads in it; offsets as those of the mentions. null or absent where it reads nothing. */
  readonly reading?: FactReading | null;
}

/** A sentence read for typing. */
export interface TypedSentence {
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly EntityMention[];
  readonly states: TokenStates;
  /** Where the embedded text begins among the offsets of the tokens. */
  readonly offset: number;
}

/** How likely a mention is an entity of each node type; all with `none` add up to 1. */
export interface TypeScores {
  /** It is no entity of the schema, or the span is wrong. */
  readonly none: number;
  /** In the order of `Typer.types`. */
  readonly types: Float32Array;
}

export interface Typer {
  /** Names of the node types. */
  readonly types: readonly string[];
  /** One for each mention. Synchronous, deterministic. */
  score(sentence: TypedSentence): readonly TypeScores[];
}

/** What a type is told by. */
export interface TypeDescription {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly aliases: readonly string[];
}
