/** Whether an account may use the language model for work that also succeeds without one. */

export interface ModelAllowance {
  /** False when the account has used its tokens of the month; the built-in engine then does the work. */
  hasTokens(accountId: string): Promise<boolean>;
}

/** `limit`: tokens per account and UTC calendar month; null = no limit. */
export function createModelAllowance(deps: {
  readonly limit: number | null;
  readonly readTokenUse: (key: { accountId: string; month: string }) => Promise<number>;
  readonly now: () => number;
}): ModelAllowance {
  return {
    async hasTokens(accountId) {
      if (deps.limit === null) return true;
      const month = new Date(deps.now()).toISOString().slice(0, 7);
      return (await deps.readTokenUse({ accountId, month })) < deps.limit;
    },
  };
}
