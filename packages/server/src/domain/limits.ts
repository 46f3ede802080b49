/** Limits of one account. */
export interface AccountLimits {
  readonly projects: number;
  readonly ontologies: number;
  readonly webhooks: number;
  /** Number of streams that may be open at the same time. */
  readonly eventStreams: number;
  /** This limit and the following ones are null (no limit) where only the owner can have an account. */
  readonly pendingJobs: number | null;
  /** Texts, files, ontologies and what else has its size from the sender, and `documentBytes` of each document. */
  readonly storedBytes: number | null;
  /** Of the ended jobs that no document needs: so many of the newest are kept. */
  readonly endedJobs: number | null;
  readonly concurrentQueries: number | null;
}

const GIB = 1024 ** 3;

/**
 * With closed sign-up the operator is the only account, so only resources whose
 * lists have no page limit are bounded.
 */
export const CLOSED_SIGN_UP_LIMITS: AccountLimits = {
  projects: 10_000,
  ontologies: 10_000,
  webhooks: 50,
  eventStreams: 32,
  pendingJobs: null,
  storedBytes: null,
  endedJobs: null,
  concurrentQueries: null,
};

export const OPEN_SIGN_UP_LIMITS: AccountLimits = {
  projects: 1_000,
  ontologies: 1_000,
  webhooks: 10,
  eventStreams: 8,
  pendingJobs: 5_000,
  storedBytes: 2 * GIB,
  endedJobs: 10_000,
  concurrentQueries: 8,
};
