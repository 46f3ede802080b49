import type { Database } from "../schema.ts";

export interface TokenCharge {
  readonly accountId: string;
  /** UTC calendar month, "2031-04". */
  readonly month: string;
  readonly tokens: number;
}

/** Tokens that the account has used in the month. */
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

/** True when the charge would go over the limit; a charge of nothing never does. */
export async function exceedsTokenLimit(
  db: Database,
  charge: TokenCharge,
  limit: number | null,
): Promise<boolean> {
  if (limit === null || charge.tokens === 0) return false;
  return (await readTokens(db, charge)) + charge.tokens > limit;
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
