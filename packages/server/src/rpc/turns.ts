/** A queue that is fair between accounts. */

export interface Turns<Item> {
  /** Returns the function that takes the item out again. */
  add(account: string, item: Item): () => void;
  /** The oldest item of the account whose turn it is; null when the queue is empty. */
  next(): Item | null;
  readonly size: number;
  sizeOf(account: string): number;
}

/** Accounts take turns, in the order of their first waiting item; an account's own items stay in order. */
export function createTurns<Item>(): Turns<Item> {
  const queues = new Map<string, Set<Item>>();
  let size = 0;

  function remove(account: string, item: Item): void {
    const queue = queues.get(account);
    if (queue?.delete(item) !== true) return;
    size--;
    if (queue.size === 0) queues.delete(account);
  }

  return {
    get size() {
      return size;
    },
    sizeOf: (account) => queues.get(account)?.size ?? 0,
    add(account, item) {
      const queue = queues.get(account) ?? new Set();
      queues.set(account, queue.add(item));
      size++;
      return () => remove(account, item);
    },
    next() {
      for (const [account, queue] of queues) {
        for (const item of queue) {
          remove(account, item);
          // Behind all other accounts.
          if (queues.delete(account)) queues.set(account, queue);
          return item;
        }
      }
      return null;
    },
  };
}
