/** Counts events by name and collects violations. */
export interface Tally {
  count(name: string, by?: number): void;
  /** Records something that must never happen. */
  violate(kind: string, detail: string): void;
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly { readonly kind: string; readonly detail: string; readonly at: string }[];
}

const MAX_VIOLATIONS = 200;

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const violations: { kind: string; detail: string; at: string }[] = [];
  const count = (name: string, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by);
  return {
    counts,
    violations,
    count,
    violate(kind, detail) {
      count(`violation ${kind}`);
      const at = new Date().toISOString();
      process.stderr.write(`${at} VIOLATION ${kind}: ${detail}\n`);
      if (violations.length < MAX_VIOLATIONS) violations.push({ kind, detail, at });
    },
  };
}
