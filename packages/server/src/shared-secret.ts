/** The secret that signs sessions, kept in the database where several processes share one, so that each knows the sessions of all. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { DatabaseStartError } from "./adapters/database/start-error.ts";
import type { AccountStore } from "./ports/store.ts";

const SETTING = "session_secret";
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PLAIN = "plain:";
const SEALED = "sealed:";
const REMEDY = `or delete the row "${SETTING}" of the table settings: a new secret is made, and people have to sign in again.`;

/**
 * The stored secret; `offered` is stored where there is none. All processes that start at once get the same. With a key it is stored encrypted,
 * also one that was stored in plain text before.
 * @throws DatabaseStartError when it is encrypted and the key is missing or another
 */
export async function readOrStoreSecret(
  store: Pick<AccountStore, "writeSetting">,
  { offered, key }: { readonly offered: string; readonly key: string | null },
): Promise<string> {
  const stored = await store.writeSetting({
    name: SETTING,
    value: key === null ? PLAIN + offered : await seal(offered, key),
    onlyIfAbsent: true,
  });
  if (stored.startsWith(SEALED)) return open(stored, key);
  const secret = stored.slice(PLAIN.length);
  if (key !== null)
    await store.writeSetting({ name: SETTING, value: await seal(secret, key), onlyIfAbsent: false });
  return secret;
}

async function seal(secret: string, key: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, await stretch(key, salt), nonce);
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return SEALED + Buffer.concat([salt, nonce, cipher.getAuthTag(), text]).toString("base64");
}

async function open(stored: string, key: string | null): Promise<string> {
  if (key === null) {
    throw new DatabaseStartError(
      `The secret of sessions in the database is encrypted. Set KCS_ENCRYPTION_KEY to the key of the other processes, ${REMEDY}`,
    );
  }
  const bytes = Buffer.from(stored.slice(SEALED.length), "base64");
  const nonceAt = SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const textAt = tagAt + TAG_BYTES;
  const stretched = await stretch(key, bytes.subarray(0, nonceAt));
  try {
    const decipher = createDecipheriv(CIPHER, stretched, bytes.subarray(nonceAt, tagAt));
    decipher.setAuthTag(bytes.subarray(tagAt, textAt));
    return decipher.update(bytes.subarray(textAt), undefined, "utf8") + decipher.final("utf8");
  } catch (error) {
    throw new DatabaseStartError(
      `The secret of sessions in the database cannot be decrypted with this KCS_ENCRYPTION_KEY. Use the key of the other processes, ${REMEDY}`,
      error,
    );
  }
}

/** People choose keys that are short or words. */
function stretch(key: string, salt: Buffer): Promise<Buffer> {
  return promisify<string, Buffer, number, Buffer>(scrypt)(key, salt, KEY_BYTES);
}
