import { createHash } from "node:crypto";
import type { AccountStore, ApiKeyRecord } from "../../ports/store.ts";

export const keyPrefix = "kcs_";

const maxKeyLength = 256;
const keyForm = /^kcs_[A-Za-z0-9_-]+$/;
const maxKnown = 10_000;
const maxUnknown = 1_000;
/** Below a second, so that a key revoked elsewhere stops within one. */
const freshMs = 900;
/** A look-up that a revocation overtakes is made again; this often before it fails. */
const maxLookUps = 5;

interface Entry {
  readonly record: ApiKeyRecord | null;
  /** When the look-up began: what it saw was true then. */
  readonly seenAt: number;
}

export interface KeyCache {
  /** The record of a key that may be used now, else null. */
  find(key: string): Promise<ApiKeyRecord | null>;
  /** Forgets everything, look-ups under way included: the next use of any key asks the database. */
  invalidate(): void;
}

/** The form under which the library stores a key: SHA-256, base64url without padding. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/**
 * Key records by hash, trusted for less than a second and then read again (one look-up at a time per key).
 * What cannot be a key never reaches the database. Unknown keys have a small cache of their own, so that
 * guesses cannot push real keys out.
 */
export function createKeyCache(deps: {
  store: Pick<AccountStore, "findApiKey">;
  now?: () => number;
}): KeyCache {
  const { store, now = Date.now } = deps;
  const known = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();
  const underWay = new Map<string, Promise<ApiKeyRecord | null>>();
  let generation = 0;

  async function lookUp(keyHash: string): Promise<ApiKeyRecord | null> {
    for (let attempt = 0; attempt < maxLookUps; attempt++) {
      const begunIn = generation;
      const seenAt = now();
      const record = await store.findApiKey({ keyHash });
      if (begunIn !== generation) continue;
      known.delete(keyHash);
      unknown.delete(keyHash);
      if (record === null) remember(unknown, { keyHash, entry: { record, seenAt }, max: maxUnknown });
      else remember(known, { keyHash, entry: { record, seenAt }, max: maxKnown });
      return record;
    }
    throw new Error("API keys changed faster than one could be looked up.");
  }

  function lookUpOnce(keyHash: string): Promise<ApiKeyRecord | null> {
    const running = underWay.get(keyHash);
    if (running !== undefined) return running;
    const started = lookUp(keyHash).finally(() => underWay.delete(keyHash));
    underWay.set(keyHash, started);
    return started;
  }

  return {
    async find(key) {
      if (key.length > maxKeyLength || !keyForm.test(key)) return null;
      const keyHash = hashKey(key);
      const entry = known.get(keyHash) ?? unknown.get(keyHash);
      const age = entry === undefined ? Number.POSITIVE_INFINITY : now() - entry.seenAt;
      // A clock that was set back makes an age negative: then too the database is asked.
      const record =
        entry !== undefined && age >= 0 && age < freshMs ? entry.record : await lookUpOnce(keyHash);
      return record !== null && isUsable(record, now()) ? record : null;
    },
    invalidate() {
      generation++;
      known.clear();
      unknown.clear();
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
