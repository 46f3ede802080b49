/** Who is served next, where many accounts wait for few places. */

export interface FairQueue<Item> {
  readonly size: number;
  sizeOf(accountId: string): number;
  push(item: Item, place: QueuePlace): void;
  /** The next one: urgent ones before all others, accounts in turn, each account's in the order in which they came. */
  shift(): Item | undefined;
  /** False when it does not wait. */
  remove(item: Item): boolean;
}

export interface QueuePlace {
  readonly accountId: string;
  /** Somebody waits for the answer. */
  readonly isUrgent: boolean;
}

/**
 * Round robin over accounts (J. Nagle, "On packet switches with infinite storage", RFC 970, 1985), once for what is urgent and once
 * for the rest. Whoever pushes bounds it. Removing is linear in what waits.
 */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** Accounts in the order of their turns: a map keeps the order in which keys were put in. */
  const urgent = new Map<string, Item[]>();
  const others = new Map<string, Item[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },
    sizeOf: (accountId) => (urgent.get(accountId)?.length ?? 0) + (others.get(accountId)?.length ?? 0),
    push(item, { accountId, isUrgent }) {
      const lines = isUrgent ? urgent : others;
      const line = lines.get(accountId);
      if (line === undefined) lines.set(accountId, [item]);
      else line.push(item);
      size++;
    },
    shift() {
      const lines = urgent.size > 0 ? urgent : others;
      for (const [accountId, line] of lines) {
        const item = line.shift();
        lines.delete(accountId);
        if (line.length > 0) lines.set(accountId, line);
        size--;
        return item;
      }
      return undefined;
    },
    remove(item) {
      for (const lines of [urgent, others]) {
        for (const [accountId, line] of lines) {
          const at = line.indexOf(item);
          if (at === -1) continue;
          line.splice(at, 1);
          if (line.length === 0) lines.delete(accountId);
          size--;
          return true;
        }
      }
      return false;
    },
  };
}
