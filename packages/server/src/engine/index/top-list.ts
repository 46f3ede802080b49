/** The best few of many, in a binary heap whose root is the worst of them. */

export interface TopList {
  /** Cost: one comparison for the many that are not among the best. */
  offer(id: number, score: number): void;
  /** The ids, best first. Empties the list. */
  drain(): number[];
}

/**
 * Keeps the `limit` offers of the highest scores; among equal scores `precedes(one, other)` decides, a total order, so
 * that the result does not depend on the order of the offers.
 */
export function createTopList(limit: number, precedes: (one: number, other: number) => boolean): TopList {
  const ids: number[] = [];
  const scores: number[] = [];
  // What an offer must reach; kept beside the heap because nearly all offers end here.
  let floor = Number.NEGATIVE_INFINITY;
  const idAt = (place: number) => ids[place] ?? -1;
  const scoreAt = (place: number) => scores[place] ?? 0;
  const isWorse = (one: number, other: number): boolean =>
    scoreAt(one) < scoreAt(other) || (scoreAt(one) === scoreAt(other) && precedes(idAt(other), idAt(one)));
  const swap = (one: number, other: number): void => {
    [ids[one], ids[other]] = [idAt(other), idAt(one)];
    [scores[one], scores[other]] = [scoreAt(other), scoreAt(one)];
  };
  const rise = (from: number): void => {
    for (let place = from; place > 0; ) {
      const parent = (place - 1) >>> 1;
      if (!isWorse(place, parent)) return;
      swap(place, parent);
      place = parent;
    }
  };
  const sink = (): void => {
    for (let place = 0; 2 * place + 1 < ids.length; ) {
      const left = 2 * place + 1;
      const child = left + 1 < ids.length && isWorse(left + 1, left) ? left + 1 : left;
      if (!isWorse(child, place)) return;
      swap(place, child);
      place = child;
    }
  };
  const removeWorst = (): number => {
    const worst = idAt(0);
    swap(0, ids.length - 1);
    ids.pop();
    scores.pop();
    sink();
    return worst;
  };
  return {
    offer(id, score) {
      if (score < floor) return;
      if (ids.length >= limit) {
        if (limit <= 0 || (score === floor && !precedes(id, idAt(0)))) return;
        removeWorst();
      }
      ids.push(id);
      scores.push(score);
      rise(ids.length - 1);
      if (ids.length >= limit) floor = scoreAt(0);
    },
    drain() {
      const drained: number[] = [];
      floor = Number.NEGATIVE_INFINITY;
      while (ids.length > 0) drained.push(removeWorst());
      return drained.reverse();
    },
  };
}
