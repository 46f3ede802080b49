/** Usage of an account in one project on one day. */
export interface UsageDay {
  /** null for usage that belongs to no project. */
  readonly projectId: string | null;
  /** UTC: "2031-04-09". */
  readonly day: string;
  /** Embedded tokens. */
  readonly tokens: number;
  /** Accepted documents. */
  readonly documents: number;
  readonly chunks: number;
  /** Answered questions. */
  readonly queries: number;
  /**
   * Calls of language models, and their input and output tokens together.
   * Replies from the cache do not count.
   */
  readonly modelCalls: number;
  readonly modelTokens: number;
}

/** The UTC day of a time in epoch milliseconds. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
