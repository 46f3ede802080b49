/** A bounded top-k list: a binary heap whose root is the worst entry. */

export interface ScoredId {
  readonly id: number;
  readonly score: number;
}

export interface TopList {
  /** The score that an offer must reach to be considered; −∞ until the list is full. */
  readonly floor: number;
  /** The ids that are currently in the list, unordered. */
  readonly ids: readonly number[];
  /** Returns the new floor. An offer below the floor, which is the common case, costs one comparison. */
  offer(id: number, score: number): number;
  /** Returns the entries, best first, and empties the list. */
  drain(): ScoredId[];
}

/**
 * Keeps the `limit` offers with the highest scores. Ties are decided by `precedes(one, other)`, which must be
 * a total order, so that the result does not depend on the order of the offers. `limit` must be at least 1.
 */
export function createTopList(limit: number, precedes: Order): TopList {
  const heap: Heap = { ids: [], scores: [], precedes };
  let floor = Number.NEGATIVE_INFINITY;
  return {
    get floor() {
      return floor;
    },
    ids: heap.ids,
    offer(id, score) {
      if (score < floor) return floor;
      if (heap.ids.length >= limit) {
        if (score === floor && !precedes(id, idAt(heap, 0))) return floor;
        removeWorst(heap);
      }
      heap.ids.push(id);
      heap.scores.push(score);
      rise(heap, heap.ids.length - 1);
      if (heap.ids.length >= limit) floor = scoreAt(heap, 0);
      return floor;
    },
    drain() {
      const drained: ScoredId[] = [];
      while (heap.ids.length > 0) {
        const score = scoreAt(heap, 0);
        drained.push({ id: removeWorst(heap), score });
      }
      floor = Number.NEGATIVE_INFINITY;
      return drained.reverse();
    },
  };
}

type Order = (one: number, other: number) => boolean;

/** Heap invariant: no entry is worse than its parent, which is at half its index. */
interface Heap {
  readonly ids: number[];
  readonly scores: number[];
  readonly precedes: Order;
}

function idAt(heap: Heap, place: number): number {
  return heap.ids[place] ?? -1;
}

function scoreAt(heap: Heap, place: number): number {
  return heap.scores[place] ?? 0;
}

function isWorse(heap: Heap, one: number, other: number): boolean {
  const difference = scoreAt(heap, one) - scoreAt(heap, other);
  return difference < 0 || (difference === 0 && heap.precedes(idAt(heap, other), idAt(heap, one)));
}

function swap(heap: Heap, one: number, other: number): void {
  [heap.ids[one], heap.ids[other]] = [idAt(heap, other), idAt(heap, one)];
  [heap.scores[one], heap.scores[other]] = [scoreAt(heap, other), scoreAt(heap, one)];
}

function rise(heap: Heap, from: number): void {
  for (let place = from; place > 0; ) {
    const parent = (place - 1) >>> 1;
    if (!isWorse(heap, place, parent)) return;
    swap(heap, place, parent);
    place = parent;
  }
}

function removeWorst(heap: Heap): number {
  const { ids, scores } = heap;
  const worst = idAt(heap, 0);
  swap(heap, 0, ids.length - 1);
  ids.pop();
  scores.pop();
  for (let place = 0; 2 * place + 1 < ids.length; ) {
    const left = 2 * place + 1;
    const child = left + 1 < ids.length && isWorse(heap, left + 1, left) ? left + 1 : left;
    if (!isWorse(heap, child, place)) break;
    swap(heap, place, child);
    place = child;
  }
  return worst;
}
