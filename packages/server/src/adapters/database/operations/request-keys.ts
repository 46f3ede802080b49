/** Idempotent requests: a request with a key is executed once, however often it is sent. */
import type { CreatingCall, OnceOutcome, OnceStore } from "../../../ports/event-store.ts";
import type { RequestKeyRow } from "../event-schema.ts";
import type { Database } from "../schema.ts";
import { addCorrections } from "./corrections.ts";
import { decodeText, encodeText } from "./encoding.ts";
import { acceptDocuments, acceptFiles } from "./ingestion.ts";
import { retryJob } from "./job-control.ts";
import { createOntology } from "./ontologies.ts";
import { createProject } from "./projects.ts";
import { createWebhook } from "./webhooks.ts";

type PerformOnce = Parameters<OnceStore["performOnce"]>[0];

const lifeMs = 24 * 60 * 60_000;
const maxKeys = 10_000;
const maxAnswerBytes = 64 << 20;
/** Another request of the account may evict a key between the insert and the read. */
const maxTries = 5;
/**
 * Limit of keys deleted per request. It exceeds the one key added, so that an account far over the limits
 * gets below them.
 */
const maxEvicted = 32;

export async function performOnce(db: Database, input: PerformOnce): Promise<OnceOutcome> {
  const earlier = await takeKey(db, input);
  if (earlier !== null) return earlier;
  const result = await perform(db, input.call);
  if (isRefusal(result)) await deleteKey(db, input);
  else await evictOldKeys(db, input);
  return { kind: "done", result };
}

/** Inserts the key. If it exists, waits for the request that holds it and returns that request's outcome. */
async function takeKey(db: Database, input: PerformOnce): Promise<OnceOutcome | null> {
  const { accountId, request, now } = input;
  await db
    .deleteFrom("request_keys")
    .where("account_id", "=", accountId)
    .where("request_key", "=", request.key)
    .where("created_at", "<=", now - lifeMs)
    .execute();
  for (let tries = 1; tries <= maxTries; tries++) {
    if (await insertKey(db, input)) return null;
    const earlier = await findAnswer(db, input);
    if (earlier !== null) return earlier;
  }
  throw new Error(`An idempotency key was inserted and deleted by others in ${maxTries} successive tries`);
}

/** False when the key already exists. */
async function insertKey(db: Database, input: PerformOnce): Promise<boolean> {
  const { accountId, request, now } = input;
  const last = await db
    .selectFrom("request_keys")
    .select((eb) => ["seq", eb.fn<number>("length", ["answer"]).as("bytes"), "bytes_before"])
    .where("account_id", "=", accountId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const { encoding, bytes } = encodeText(input.answer);
  const taken = await db
    .insertInto("request_keys")
    .values({
      account_id: accountId,
      request_key: request.key,
      seq: (last?.seq ?? 0) + 1,
      fingerprint: request.fingerprint,
      created_at: now,
      encoding,
      answer: bytes,
      bytes_before: (last?.bytes_before ?? 0) + (last?.bytes ?? 0),
    })
    .onConflict((conflict) => conflict.columns(["account_id", "request_key"]).doNothing())
    .returning("seq")
    .executeTakeFirst();
  return taken !== undefined;
}

/** null when the key was not used, or has been deleted since, or is due to be. */
export async function findAnswer(
  db: Database,
  { accountId, request, now }: Parameters<OnceStore["findAnswer"]>[0],
): ReturnType<OnceStore["findAnswer"]> {
  const row = await db
    .selectFrom("request_keys")
    .select(["fingerprint", "encoding", "answer"])
    .where("created_at", ">", now - lifeMs)
    .where("account_id", "=", accountId)
    .where("request_key", "=", request.key)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.fingerprint !== request.fingerprint) return { kind: "differs" };
  return { kind: "answered", answer: decodeText(row.encoding, row.answer) };
}

function perform(db: Database, call: CreatingCall): Promise<unknown> {
  switch (call.name) {
    case "createProject":
      return createProject(db, call.input);
    case "createOntology":
      return createOntology(db, call.input);
    case "acceptDocuments":
      return acceptDocuments(db, call.input);
    case "acceptFiles":
      return acceptFiles(db, call.input);
    case "addCorrections":
      return addCorrections(db, call.input);
    case "retryJob":
      return retryJob(db, call.input);
    case "createWebhook":
      return createWebhook(db, call.input);
  }
}

function isRefusal(result: unknown): boolean {
  if (typeof result === "string") return result !== "created";
  // The other operations return an object with a `kind`.
  return (result as { readonly kind: string }).kind !== "accepted";
}

async function deleteKey(db: Database, { accountId, request }: PerformOnce): Promise<void> {
  await db
    .deleteFrom("request_keys")
    .where("account_id", "=", accountId)
    .where("request_key", "=", request.key)
    .execute();
}

/** Deletes the account's oldest keys that are over the limits. */
async function evictOldKeys(db: Database, { accountId, now }: PerformOnce): Promise<void> {
  const ofAccount = db
    .selectFrom("request_keys")
    .select(["seq", "bytes_before", "created_at"])
    .where("account_id", "=", accountId)
    .limit(maxEvicted);
  const oldest = await ofAccount.orderBy("seq").execute();
  const [newest] = await ofAccount.orderBy("seq", "desc").limit(1).execute();
  const last = oldest.filter((key) => newest !== undefined && isOverLimits(key, newest, now)).at(-1);
  if (last === undefined) return;
  await db
    .deleteFrom("request_keys")
    .where("account_id", "=", accountId)
    .where("seq", "<=", last.seq)
    .execute();
}

type KeptKey = Pick<RequestKeyRow, "seq" | "bytes_before" | "created_at">;

/**
 * Whether a key is too old, or as many newer keys or answer bytes exist as are kept. `newest`: the account's
 * newest key.
 */
export function isOverLimits(key: KeptKey, newest: KeptKey, now: number): boolean {
  if (key.seq >= newest.seq) return false;
  const isCrowdedOut =
    newest.seq - key.seq >= maxKeys || newest.bytes_before - key.bytes_before >= maxAnswerBytes;
  return isCrowdedOut || key.created_at <= now - lifeMs;
}
