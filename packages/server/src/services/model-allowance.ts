/** Whether an account may still use the language model for what is never refused. */

export interface ModelAllowance {
  /** False when the account's tokens of the month are used up: then the built-in engine does the work. */
  hasTokens(accountId: string): Promise<boolean>;
}

/** `limit` is per account and UTC calendar month; null = no limit. */
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
