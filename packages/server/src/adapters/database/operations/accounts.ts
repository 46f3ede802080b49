import type { ApiKeyRecord } from "../../../ports/store.ts";
import type { ApiKeyRow, Database } from "../schema.ts";

export async function findApiKey(db: Database, input: { keyHash: string }): Promise<ApiKeyRecord | null> {
  const row = await db
    .selectFrom("apikey")
    .select(["id", "referenceId", "enabled", "expiresAt"])
    .where("key", "=", input.keyHash)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    keyId: row.id,
    accountId: row.referenceId,
    // better-auth treats a key without a value as enabled.
    enabled: row.enabled === null || row.enabled === true || row.enabled === 1,
    expiresAt: toMilliseconds(row.expiresAt),
  };
}

export async function touchApiKeys(
  db: Database,
  input: { uses: readonly { readonly keyId: string; readonly at: number }[] },
): Promise<void> {
  const uses = [...input.uses].sort((a, b) => (a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : a.at - b.at));
  for (const use of uses) {
    const at = new Date(use.at); // ISO text on SQLite, a timestamp on PostgreSQL; both sort by time.
    await db
      .updateTable("apikey")
      .set({ lastRequest: at })
      .where("id", "=", use.keyId)
      .where((eb) => eb.or([eb("lastRequest", "is", null), eb("lastRequest", "<", at)]))
      .execute();
  }
}

export async function readSetting(db: Database, input: { name: string }): Promise<string | null> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", input.name)
    .executeTakeFirst();
  return row?.value ?? null;
}

export async function writeSetting(
  db: Database,
  input: { name: string; value: string; onlyIfAbsent: boolean },
): Promise<string> {
  const row = await db
    .insertInto("settings")
    .values({ name: input.name, value: input.value })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((eb) => ({
        // An update also when the value stays: only an update returns the row and waits for a concurrent
        // writer.
        value: input.onlyIfAbsent ? eb.ref("settings.value") : eb.ref("excluded.value"),
      })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return row.value;
}

function toMilliseconds(value: ApiKeyRow["expiresAt"]): number | null {
  return value === null ? null : new Date(value).getTime();
}
