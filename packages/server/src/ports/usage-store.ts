import type { UsageDay } from "../domain/usage.ts";

export interface QueryCount extends Pick<UsageDay, "day" | "queries"> {
  readonly accountId: string;
  readonly projectId: string;
}

/** What an account has of what is limited. Tokens are embedded ones and those of models together. */
export interface AccountUse {
  /** In the month. */
  readonly tokens: number;
  readonly storedBytes: number;
}

/** Tokens, documents and chunks are counted by `acceptDocuments` and `commitBatch`, calls of models by `recordModelUse`. */
export interface UsageStore {
  /** Adds to the counts of many projects and days at once. */
  addQueries(input: { counts: readonly QueryCount[] }): Promise<void>;
  /** Days from `from` to `to`, both included, by day and project; at most 10,000, the last ones. */
  listUsage(input: { accountId: string; from: string; to: string }): Promise<readonly UsageDay[]>;
  /** `month`: UTC calendar month, "2031-04". */
  readAccountUse(input: { accountId: string; month: string }): Promise<AccountUse>;
}
