/** Makes a name mean one thing in a chunk: what its occurrences say together decides its type. */

import type { Alias } from "../../../text/names/aliases.ts";

export interface TypeVotes {
  /** Adds shares of types, in one order. */
  add(key: string, shares: Float32Array): void;
  /** Index and mean share of the best type; null for a name without votes. */
  best(key: string): { readonly type: number; readonly share: number } | null;
  /** Mean of the shares; null for a name without votes. */
  mean(key: string): Float32Array | null;
}

/** Names that the text says are the same vote together. */
export function createTypeVotes(aliases: readonly Alias[]): TypeVotes {
  const leaders = new Map<string, string>();
  for (const { name, alias } of aliases) {
    const leader = leaders.get(name) ?? leaders.get(alias) ?? name;
    leaders.set(name, leader).set(alias, leader);
  }
  const sums = new Map<string, { shares: Float32Array; count: number }>();
  const find = (key: string) => sums.get(leaders.get(key) ?? key);
  return {
    add(key, shares) {
      const known = find(key);
      if (known === undefined) sums.set(leaders.get(key) ?? key, { shares: shares.slice(), count: 1 });
      else {
        known.count++;
        for (const [at, share] of shares.entries()) known.shares[at] = (known.shares[at] ?? 0) + share;
      }
    },
    best(key) {
      const known = find(key);
      if (known === undefined || known.shares.length === 0) return null;
      let type = 0;
      for (const [at, share] of known.shares.entries()) if (share > (known.shares[type] ?? 0)) type = at;
      return { type, share: (known.shares[type] ?? 0) / known.count };
    },
    mean(key) {
      const known = find(key);
      return known === undefined ? null : known.shares.map((share) => share / known.count);
    },
  };
}
