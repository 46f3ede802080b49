/** Tokens that accounts use, by calendar month. */
import type { Database } from "../schema.ts";
import { lockAccount } from "./account-row.ts";

export interface TokenCharge {
  readonly accountId: string;
  /** UTC calendar month, "2031-04". */
  readonly month: string;
  readonly tokens: number;
}

export async function readTokens(
  db: Database,
  key: { readonly accountId: string; readonly month: string },
): Promise<number> {
  const row = await db
    .selectFrom("token_meters")
    .select("tokens")
    .where("account_id", "=", key.accountId)
    .where("month", "=", key.month)
    .executeTakeFirst();
  return row?.tokens ?? 0;
}

export async function addTokens(db: Database, charge: TokenCharge): Promise<void> {
  if (charge.tokens === 0) return;
  await db
    .insertInto("token_meters")
    .values({ account_id: charge.accountId, month: charge.month, tokens: charge.tokens })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "month"]).doUpdateSet((eb) => ({
        tokens: eb("token_meters.tokens", "+", eb.ref("excluded.tokens")),
      })),
    )
    .execute();
}

/**
 * True when the account has used its limit and the charge is not zero. Locks the account's row, so that concurrent batches of its
 * projects see each other's charges.
 */
export async function isLimitUsedUp(
  db: Database,
  charge: TokenCharge,
  limit: number | null,
): Promise<boolean> {
  if (limit === null || charge.tokens === 0) return false;
  await lockAccount(db, charge.accountId);
  return (await readTokens(db, charge)) >= limit;
}
