/** What an account has used of the service. */

/** Counts of one project on one day. */
export interface UsageDay {
  /** null: outside of any project. */
  readonly projectId: string | null;
  /** UTC: "2031-04-09". */
  readonly day: string;
  /** Tokens that were embedded. */
  readonly tokens: number;
  /** Documents accepted. */
  readonly documents: number;
  readonly chunks: number;
  /** Questions answered. */
  readonly queries: number;
  /** Calls of language models, and their tokens in both directions; kept replies are free. */
  readonly modelCalls: number;
  readonly modelTokens: number;
}

/** The UTC day of a time in epoch milliseconds. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
