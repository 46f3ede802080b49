/** What the accounts library keeps its rows in. */

/**
 * Runs work that changes an account. Its first statement that writes begins a transaction, which all later ones are in, whoever
 * sends them: what is slow belongs before it. All of it is kept, or nothing: nothing when the work or one of these statements
 * fails, or when `isMade` denies it. A change within a change is a part of it.
 */
export type ChangeAccount = <Result>(
  change: {
    /** Changes of one account do not overlap. null = of one that does not exist yet. */
    readonly accountId: string | null;
    /** Whether a result is that of a change. Default: any is. */
    readonly isMade?: (result: Result) => boolean;
  },
  work: () => Promise<Result>,
) => Promise<Result>;

/** `Connection`: what sends statements. A port does not know the library of the database. */
export interface AccountDatabase<Connection> {
  readonly db: Connection;
  readonly type: "sqlite" | "postgres";
  readonly change: ChangeAccount;
  /** Makes `StoreUnavailableError` of errors of the driver that are the database's fault. None when omitted. */
  readonly translateError?: (error: unknown) => unknown;
}
