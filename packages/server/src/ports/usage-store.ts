import type { UsageDay } from "../domain/usage.ts";

export interface QueryCount extends Pick<UsageDay, "day" | "queries"> {
  readonly accountId: string;
  readonly projectId: string;
}

/** An account's use of limited resources. Tokens include embedded tokens and those of language models. */
export interface AccountUse {
  /** Tokens used in the month. */
  readonly tokens: number;
  readonly storedBytes: number;
}

/**
 * `acceptDocuments` and `commitBatch` count tokens, documents and chunks; `recordModelUse` counts calls of
 * models.
 */
export interface UsageStore {
  /** Adds to the counts of many projects and days at once. */
  addQueries(input: { counts: readonly QueryCount[] }): Promise<void>;
  /**
   * Rows from day `from` to day `to`, both inclusive, ordered by day and project; at most the last 10,000.
   */
  listUsage(input: { accountId: string; from: string; to: string }): Promise<readonly UsageDay[]>;
  /** `month`: UTC calendar month, "2031-04". */
  readAccountUse(input: { accountId: string; month: string }): Promise<AccountUse>;
}
