/** States of words: the mean of the states of the model's tokens in them. */
import type { TaggedToken } from "../statements/tagged-token.ts";
import type { TokenStates } from "./type-scores.ts";

/**
 * A row for each tagged token: the mean of the states that share a character with it, less `mean`; only zeros where the model read
 * none of the word (the end of a long text).
 */
export function centredWordStates(
  tokens: readonly TaggedToken[],
  {
    states,
    offset,
    mean,
  }: { readonly states: TokenStates; readonly offset: number; readonly mean: Float32Array },
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
