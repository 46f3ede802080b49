/** A queue that is fair between accounts. */

export interface FairQueue<Item> {
  readonly size: number;
  sizeOf(accountId: string): number;
  push(item: Item, place: QueuePlace): void;
  /**
   * Urgent items come before all others, then accounts take turns; within an
   * account the order is first in, first out.
   */
  shift(): Item | undefined;
  /** Returns false when the item is not in the queue. Linear in the number of queued items. */
  remove(item: Item): boolean;
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
  const urgent = new Map<string, Item[]>();
  const others = new Map<string, Item[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },
    sizeOf: (accountId) => (urgent.get(accountId)?.length ?? 0) + (others.get(accountId)?.length ?? 0),
    push(item, { accountId, isUrgent }) {
      const queues = isUrgent ? urgent : others;
      const queue = queues.get(accountId);
      if (queue === undefined) queues.set(accountId, [item]);
      else queue.push(item);
      size++;
    },
    shift() {
      const queues = urgent.size > 0 ? urgent : others;
      for (const [accountId, queue] of queues) {
        const item = queue.shift();
        queues.delete(accountId);
        if (queue.length > 0) queues.set(accountId, queue);
        size--;
        return item;
      }
      return undefined;
    },
    remove(item) {
      for (const queues of [urgent, others]) {
        for (const [accountId, queue] of queues) {
          const index = queue.indexOf(item);
          if (index === -1) continue;
          queue.splice(index, 1);
          if (queue.length === 0) queues.delete(accountId);
          size--;
          return true;
        }
      }
      return false;
    },
  };
}
