/** Keeps the chunks with the smallest distances by sign bits. Distances are small whole numbers, so counting them is enough. */
export interface NearestSigns {
  /** Ordinals must ascend. Returns the greatest distance that is still of use. */
  offer(ordinal: number, distance: number): number;
  /** The `limit` ordinals with the smallest distances, of equal ones the smallest ordinals, unordered. */
  ordinals(): readonly number[];
}

export function createNearestSigns(limit: number, dimensions: number): NearestSigns {
  const ordinals: number[] = [];
  const distances: number[] = [];
  /** Offers at each distance. */
  const counts = new Uint32Array(dimensions + 1);
  /** The smallest distance up to which there are `limit` offers; until there are, the greatest possible one. */
  let ceiling = dimensions;
  /** Offers up to `ceiling`. */
  let total = 0;
  const countAt = (distance: number) => counts[distance] ?? 0;
  return {
    offer(ordinal, distance) {
      if (distance <= ceiling) {
        ordinals.push(ordinal);
        distances.push(distance);
        counts[distance] = countAt(distance) + 1;
        total++;
        while (total - countAt(ceiling) >= limit) total -= countAt(ceiling--);
      }
      // A later one at the ceiling has a larger ordinal, so it is of no use.
      return total >= limit ? ceiling - 1 : ceiling;
    },
    ordinals() {
      let atCeiling = limit - (total - countAt(ceiling));
      return ordinals.filter((_, place) => {
        const distance = distances[place] ?? 0;
        return distance < ceiling || (distance === ceiling && atCeiling-- > 0);
      });
    },
  };
}
