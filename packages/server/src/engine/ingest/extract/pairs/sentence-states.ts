/** What the embedding model makes of some words in their sentence. */

import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import type { TokenStates } from "../types/type-scores.ts";
import { centredWordStates } from "../types/word-states.ts";

export interface StatedSentence {
  readonly tokens: readonly TaggedToken[];
  readonly encoded: TokenStates;
  /** Where the embedded text begins. */
  readonly offset: number;
}

export interface SentenceStates {
  readonly dimensions: number;
  /** The words' mean state as a unit vector; zeros where the range has no words. What lies outside the sentence is left out. */
  readonly stateOf: (range: TokenRange) => Float32Array;
}

/** `mean`: what is taken off every state. */
export function readStates({ tokens, encoded, offset }: StatedSentence, mean: Float32Array): SentenceStates {
  const { dimensions } = encoded;
  const states = centredWordStates(tokens, { states: encoded, offset, mean });
  return {
    dimensions,
    stateOf({ from, to }) {
      const sum = new Float32Array(dimensions);
      for (let row = Math.max(0, from); row < Math.min(tokens.length, to); row++)
        for (let k = 0; k < dimensions; k++) sum[k] = sum[k]! + states[row * dimensions + k]!;
      let square = 0;
      for (const value of sum) square += value * value;
      const length = Math.sqrt(square) || 1;
      return sum.map((value) => value / length);
    },
  };
}
