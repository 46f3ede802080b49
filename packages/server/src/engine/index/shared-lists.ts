/** Circular doubly linked lists in an array of words, where all threads see them. */

/**
 * A list is named by its anchor, an item by its cell: both are the place of two words, the next cell and the one
 * before. What stands alone, an empty list or an item of none, points to itself.
 */
export interface SharedLists {
  /** Makes an empty list, or an item of none, of two words. */
  reset(cell: number): void;
  /** The cell behind; of the last item, the anchor. Of an anchor, the first item. */
  next(cell: number): number;
  previous(cell: number): number;
  isAlone(cell: number): boolean;
  /** Puts an item that stands alone before another one, or before the anchor as the last. */
  insertBefore(other: number, cell: number): void;
  remove(cell: number): void;
}

export function createSharedLists(words: Int32Array): SharedLists {
  const reset = (cell: number): void => {
    words[cell] = cell;
    words[cell + 1] = cell;
  };
  const next = (cell: number): number => words[cell] ?? cell;
  const previous = (cell: number): number => words[cell + 1] ?? cell;
  const join = (first: number, second: number): void => {
    words[first] = second;
    words[second + 1] = first;
  };
  return {
    reset,
    next,
    previous,
    isAlone: (cell) => next(cell) === cell,
    insertBefore(other, cell) {
      join(previous(other), cell);
      join(cell, other);
    },
    remove(cell) {
      join(previous(cell), next(cell));
      reset(cell);
    },
  };
}
