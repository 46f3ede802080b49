import type { AccountStateRow, Database } from "../schema.ts";

/** Locks an account's row until the transaction ends. Inserts the row first if it does not exist. */
export async function lockAccount(db: Database, accountId: string): Promise<AccountStateRow> {
  await db
    .insertInto("account_state")
    .values({
      account_id: accountId,
      next_seq: 1,
      project_count: 0,
      ontology_count: 0,
      pending_jobs: 0,
      stored_bytes: 0,
      served_at: 0,
      converted_at: 0,
      served_project: "",
      jobs_checked: 0,
      jobs_check_at: 0,
    })
    .onConflict((conflict) => conflict.column("account_id").doNothing())
    .execute();
  return db
    .selectFrom("account_state")
    .selectAll()
    .where("account_id", "=", accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export interface AccountChange {
  /** Sequence numbers taken from the account's counter. */
  readonly seqs?: number;
  readonly projects?: number;
  readonly ontologies?: number;
  readonly pendingJobs?: number;
  readonly storedBytes?: number;
}

/** Adds to an account's counters; does nothing when every change is zero. */
export async function changeAccount(db: Database, accountId: string, change: AccountChange): Promise<void> {
  if (Object.values(change).every((amount: number) => amount === 0)) return;
  await db
    .updateTable("account_state")
    .set((eb) => ({
      next_seq: eb("next_seq", "+", change.seqs ?? 0),
      project_count: eb("project_count", "+", change.projects ?? 0),
      ontology_count: eb("ontology_count", "+", change.ontologies ?? 0),
      pending_jobs: eb("pending_jobs", "+", change.pendingJobs ?? 0),
      stored_bytes: eb("stored_bytes", "+", change.storedBytes ?? 0),
    }))
    .where("account_id", "=", accountId)
    .execute();
}
