/** What one search for a pattern may read. */
export type Bound = "rows" | "nodes" | "time";

export interface MatchBounds {
  /** Counts nodes that were read; false when the search must end. */
  take(nodes: number): boolean;
  meet(bound: Bound): void;
  isMet(): boolean;
  met(): readonly Bound[];
  /** Milliseconds since the beginning. */
  tookMs(): number;
}

const MAX_NODES = 20_000;
/** Other lists of the account wait as long. */
const MAX_MS = 5_000;

export function createMatchBounds(): MatchBounds {
  const startedAt = performance.now();
  const met = new Set<Bound>();
  let nodesRead = 0;
  const tookMs = () => performance.now() - startedAt;
  const isMet = () => {
    if (tookMs() > MAX_MS) met.add("time");
    return met.size > 0;
  };
  return {
    take(nodes) {
      nodesRead += nodes;
      if (nodesRead > MAX_NODES) met.add("nodes");
      return !isMet();
    },
    meet: (bound) => void met.add(bound),
    isMet,
    met: () => [...met],
    tookMs,
  };
}
