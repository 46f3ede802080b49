/** Requests that are carried out once, however often they come. */
import type { CreatingCall, OnceOutcome, OnceStore } from "../../../ports/event-store.ts";
import type { RequestKeyRow } from "../event-schema.ts";
import type { Database } from "../schema.ts";
import { decodeText, encodeText } from "./encoding.ts";
import { acceptDocuments } from "./ingestion.ts";
import { retryJob } from "./job-control.ts";
import { createOntology } from "./ontologies.ts";
import { createProject } from "./projects.ts";
import { createWebhook } from "./webhooks.ts";

type PerformOnce = Parameters<OnceStore["performOnce"]>[0];

const lifeMs = 24 * 60 * 60_000;
const maxKeys = 10_000;
const maxAnswerBytes = 64 << 20;
/** A key may be dropped, by another request of its account, between two looks at it. */
const maxTries = 5;
/** More than one is added at a time, so that the bounds are reached from wherever the account stands. */
const droppedAtOnce = 32;

export async function performOnce(db: Database, input: PerformOnce): Promise<OnceOutcome> {
  const earlier = await takeKey(db, input);
  if (earlier !== null) return earlier;
  const result = await perform(db, input.call);
  if (isRefusal(result)) await giveKeyBack(db, input);
  else await dropOldKeys(db, input);
  return { kind: "done", result };
}

/** Writes the key down; where it is there already, after the request that holds it has ended, tells what that was. */
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
    const earlier = await readEarlier(db, input);
    if (earlier !== null) return earlier;
  }
  throw new Error("An idempotency key came and went while it was looked for");
}

/** False where the key is there already. */
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

/** null where it is gone by now. */
async function readEarlier(db: Database, { accountId, request }: PerformOnce): Promise<OnceOutcome | null> {
  const row = await db
    .selectFrom("request_keys")
    .select(["fingerprint", "encoding", "answer"])
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
    case "retryJob":
      return retryJob(db, call.input);
    case "createWebhook":
      return createWebhook(db, call.input);
  }
}

function isRefusal(result: unknown): boolean {
  if (typeof result === "string") return result !== "created";
  return (result as { readonly kind: string }).kind !== "accepted"; // The other operations tell it so.
}

async function giveKeyBack(db: Database, { accountId, request }: PerformOnce): Promise<void> {
  await db
    .deleteFrom("request_keys")
    .where("account_id", "=", accountId)
    .where("request_key", "=", request.key)
    .execute();
}

/** The account's oldest keys, as far as they are over the bounds. */
async function dropOldKeys(db: Database, { accountId, now }: PerformOnce): Promise<void> {
  const ofAccount = db
    .selectFrom("request_keys")
    .select(["seq", "bytes_before", "created_at"])
    .where("account_id", "=", accountId)
    .limit(droppedAtOnce);
  const oldest = await ofAccount.orderBy("seq").execute();
  const [newest] = await ofAccount.orderBy("seq", "desc").limit(1).execute();
  const last = oldest.filter((key) => newest !== undefined && isOverBounds(key, newest, now)).at(-1);
  if (last === undefined) return;
  await db
    .deleteFrom("request_keys")
    .where("account_id", "=", accountId)
    .where("seq", "<=", last.seq)
    .execute();
}

type KeptKey = Pick<RequestKeyRow, "seq" | "bytes_before" | "created_at">;

/** Whether a key is too old, or has as many keys or bytes behind it as are kept; `newest` is the account's. */
export function isOverBounds(key: KeptKey, newest: KeptKey, now: number): boolean {
  if (key.seq >= newest.seq) return false;
  const isCrowdedOut =
    newest.seq - key.seq >= maxKeys || newest.bytes_before - key.bytes_before >= maxAnswerBytes;
  return isCrowdedOut || key.created_at <= now - lifeMs;
}
