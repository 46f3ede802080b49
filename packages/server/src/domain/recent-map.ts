/** A map that forgets what was not asked for the longest. */

export interface RecentMap<Key, Value> {
  /** A promise that is rejected is not kept. */
  getOrMake(key: Key, make: () => Value): Value;
}

export function createRecentMap<Key, Value>(limit: number): RecentMap<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    getOrMake(key, make) {
      const known = entries.get(key);
      const value = known ?? make();
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > limit) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      if (known === undefined && value instanceof Promise) {
        value.catch(() => {
          if (entries.get(key) === value) entries.delete(key);
        });
      }
      return value;
    },
  };
}
