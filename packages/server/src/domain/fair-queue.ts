/** A queue that is fair between accounts. */

export interface FairQueue<Item> {
  readonly size: number;
  sizeOf(accountId: string): number;
  /** Returns the function that takes the item out again. An item is in the queue once at most. */
  push(item: Item, place: QueuePlace): () => void;
  /**
   * Urgent items come before all others, then accounts take turns; within an
   * account the order is first in, first out. Accounts that `mayBegin` refuses keep their turn.
   */
  shift(mayBegin?: (accountId: string, isUrgent: boolean) => boolean): Item | undefined;
}

export interface QueuePlace {
  readonly accountId: string;
  /** True when a client is waiting for the result. */
  readonly isUrgent: boolean;
}

/**
 * Round robin over accounts (J. Nagle, "On packet switches with infinite storage", RFC 970, 1985), separately
 * for urgent and other items. The queue has no limit of its own: the caller bounds what it pushes.
 */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** By account, in the order of their turns: a map iterates in insertion order. */
  const urgent = new Map<string, Set<Item>>();
  const others = new Map<string, Set<Item>>();
  let size = 0;

  function remove(queues: Map<string, Set<Item>>, accountId: string, item: Item): void {
    const queue = queues.get(accountId);
    if (queue?.delete(item) !== true) return;
    size--;
    if (queue.size === 0) queues.delete(accountId);
  }

  function shiftFrom(
    queues: Map<string, Set<Item>>,
    mayBegin: (accountId: string) => boolean,
  ): Item | undefined {
    for (const [accountId, queue] of queues) {
      if (!mayBegin(accountId)) continue;
      for (const item of queue) {
        remove(queues, accountId, item);
        // Behind all other accounts.
        if (queues.delete(accountId)) queues.set(accountId, queue);
        return item;
      }
    }
    return undefined;
  }

  return {
    get size() {
      return size;
    },
    sizeOf: (accountId) => (urgent.get(accountId)?.size ?? 0) + (others.get(accountId)?.size ?? 0),
    push(item, { accountId, isUrgent }) {
      const queues = isUrgent ? urgent : others;
      const queue = queues.get(accountId) ?? new Set();
      queues.set(accountId, queue.add(item));
      size++;
      return () => remove(queues, accountId, item);
    },
    shift: (mayBegin = () => true) =>
      shiftFrom(urgent, (accountId) => mayBegin(accountId, true)) ??
      shiftFrom(others, (accountId) => mayBegin(accountId, false)),
  };
}
