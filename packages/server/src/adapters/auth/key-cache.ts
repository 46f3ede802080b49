import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { AccountStore, ApiKeyRecord } from "../../ports/store.ts";

export const keyPrefix = "kcs_";

const maxKeyLength = 256;
const keyForm = /^kcs_[A-Za-z0-9_-]+$/;
const maxKnown = 10_000;
const maxUnknown = 1_000;
/** Less than a second, so that a key revoked by another process stops working within one second. */
const maxAgeMs = 900;
/** A look-up during which a key is created or revoked is repeated, at most this often. */
const maxLookUps = 5;

interface Entry {
  readonly record: ApiKeyRecord | null;
  /** Start of the look-up, since the record may have changed after that. */
  readonly readAt: number;
}

export interface KeyCache {
  /** The record of a usable key, else null. */
  find(key: string): Promise<ApiKeyRecord | null>;
  /** Drops all entries, and running look-ups for later requests: the next use of any key reads the database. */
  invalidate(): void;
}

/** The form in which the library stores a key: SHA-256, base64url without padding. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/**
 * Caches key records by hash for less than a second; each key has at most one look-up at a time. Malformed
 * keys never reach the database. Unknown keys have a separate small cache, so that guesses cannot evict real
 * keys.
 */
export function createKeyCache(deps: {
  store: Pick<AccountStore, "findApiKey">;
  now?: () => number;
}): KeyCache {
  const { store, now = Date.now } = deps;
  const known = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();
  const running = new Map<string, Promise<ApiKeyRecord | null>>();
  let generation = 0;

  // For all requests with the key: as work of the one that begins it, it would end with that client.
  const lookUp = AsyncLocalStorage.bind(async (keyHash: string): Promise<ApiKeyRecord | null> => {
    for (let attempt = 1; ; attempt++) {
      const startGeneration = generation;
      const readAt = now();
      const record = await store.findApiKey({ keyHash });
      if (startGeneration !== generation) {
        // Keys of others that change all the time stop nobody. The requests that get this record came before the last change.
        if (attempt === maxLookUps) return record;
        continue;
      }
      known.delete(keyHash);
      unknown.delete(keyHash);
      if (record === null) remember(unknown, { keyHash, entry: { record, readAt }, max: maxUnknown });
      else remember(known, { keyHash, entry: { record, readAt }, max: maxKnown });
      return record;
    }
  });

  function lookUpOnce(keyHash: string): Promise<ApiKeyRecord | null> {
    const current = running.get(keyHash);
    if (current !== undefined) return current;
    const started = lookUp(keyHash).finally(() => {
      if (running.get(keyHash) === started) running.delete(keyHash);
    });
    running.set(keyHash, started);
    return started;
  }

  return {
    async find(key) {
      if (key.length > maxKeyLength || !keyForm.test(key)) return null;
      const keyHash = hashKey(key);
      const entry = known.get(keyHash) ?? unknown.get(keyHash);
      const age = entry === undefined ? Number.POSITIVE_INFINITY : now() - entry.readAt;
      // A negative age means that the clock was set back; then the entry is not used either.
      const record =
        entry !== undefined && age >= 0 && age < maxAgeMs ? entry.record : await lookUpOnce(keyHash);
      return record !== null && isUsable(record, now()) ? record : null;
    },
    invalidate() {
      generation++;
      known.clear();
      unknown.clear();
      running.clear();
    },
  };
}

function remember(
  cache: Map<string, Entry>,
  { keyHash, entry, max }: { keyHash: string; entry: Entry; max: number },
): void {
  cache.set(keyHash, entry);
  if (cache.size <= max) return;
  const [oldest] = cache.keys();
  if (oldest !== undefined) cache.delete(oldest);
}

function isUsable(record: ApiKeyRecord, at: number): boolean {
  return record.enabled && (record.expiresAt === null || record.expiresAt > at);
}
