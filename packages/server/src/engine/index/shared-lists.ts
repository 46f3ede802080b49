/** Circular doubly linked lists in an array of words that threads can share. */

/**
 * A list is identified by its anchor, an item by its cell. Both are indexes of two words: the next cell and
 * the previous one. An empty list, and an item in no list, points to itself.
 */
export interface SharedLists {
  /** Initializes the two words as an empty list or as an item in no list. */
  reset(cell: number): void;
  /** The next cell. The last item's next cell is the anchor; an anchor's next cell is the first item. */
  next(cell: number): number;
  previous(cell: number): number;
  isAlone(cell: number): boolean;
  /** Inserts an item that is in no list before another item, or before the anchor, which appends it. */
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
  const link = (first: number, second: number): void => {
    words[first] = second;
    words[second + 1] = first;
  };
  return {
    reset,
    next,
    previous,
    isAlone: (cell) => next(cell) === cell,
    insertBefore(other, cell) {
      link(previous(other), cell);
      link(cell, other);
    },
    remove(cell) {
      link(previous(cell), next(cell));
      reset(cell);
    },
  };
}
