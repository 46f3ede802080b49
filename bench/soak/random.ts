/** A pseudo-random number generator with a seed. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  fraction(): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  pick<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
  /** Another generator, which does not depend on how many numbers this one has produced. */
  fork(name: string): Random;
}

/** Mulberry32 (Tommy Ettinger, public domain): one 32-bit word of state, good enough to vary a workload. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[integer(0, choices.length - 1)];
      if (choice === undefined) throw new Error("There is nothing to pick from.");
      return choice;
    },
    fork: (name) =>
      createRandom(
        [...name].reduce(
          (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619),
          seed ^ 0x811c9dc5,
        ),
      ),
  };
}
