/** States of words: the mean of the states of the model's tokens in them. */
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import { toUnit } from "../vectors.ts";
import type { TokenStates } from "./type-scores.ts";

export interface StateInput {
  readonly states: TokenStates;
  /** Where the embedded text begins. */
  readonly offset: number;
  /** What is taken off every state. */
  readonly mean: Float32Array;
}

/**
 * A row for each tagged token: the mean of the states that share a character with it, less `mean`; only zeros where the model read
 * none of the word (the end of a long text).
 */
export function centredWordStates(
  tokens: readonly TaggedToken[],
  { states, offset, mean }: StateInput,
): Float32Array {
  const { dimensions, starts, ends } = states;
  const rows = new Float32Array(tokens.length * dimensions);
  let first = 0;
  for (const [row, token] of tokens.entries()) {
    while (first < ends.length && ends[first]! <= token.start - offset) first++;
    let last = first;
    while (last < starts.length && starts[last]! < token.end - offset) last++;
    for (let at = first; at < last; at++) {
      for (let k = 0; k < dimensions; k++) {
        const share = (states.states[at * dimensions + k]! - mean[k]!) / (last - first);
        rows[row * dimensions + k] = rows[row * dimensions + k]! + share;
      }
    }
  }
  return rows;
}

/** The words' mean state as a unit vector; zeros where the range has no words. Nothing is computed before it is asked for, and nothing twice. */
export function createStateReader(
  tokens: readonly TaggedToken[],
  input: StateInput,
): (range: TokenRange) => Float32Array {
  const { dimensions } = input.states;
  const known = new Map<number, Float32Array>();
  let rows: Float32Array | null = null;
  return ({ from, to }) => {
    const key = from * (tokens.length + 1) + to;
    const before = known.get(key);
    if (before !== undefined) return before;
    rows ??= centredWordStates(tokens, input);
    const sum = new Float32Array(dimensions);
    for (let first = from * dimensions; first < to * dimensions; first += dimensions) {
      for (let column = 0; column < dimensions; column++) sum[column] = sum[column]! + rows[first + column]!;
    }
    const state = toUnit(sum);
    known.set(key, state);
    return state;
  };
}
