/** What one account may have and do. */
export interface AccountLimits {
  readonly projects: number;
  readonly ontologies: number;
  readonly webhooks: number;
  /** Open at once. */
  readonly eventStreams: number;
  /** The rest is null where nobody but the owner can have an account. */
  readonly pendingJobs: number | null;
  readonly storedBytes: number | null;
  readonly concurrentQueries: number | null;
}

const GIB = 1024 ** 3;

/** Closed sign-up: the operator is the only account, so only the lists that are never cut are bounded. */
export const CLOSED_SIGN_UP_LIMITS: AccountLimits = {
  projects: 10_000,
  ontologies: 10_000,
  webhooks: 50,
  eventStreams: 32,
  pendingJobs: null,
  storedBytes: null,
  concurrentQueries: null,
};

export const OPEN_SIGN_UP_LIMITS: AccountLimits = {
  projects: 1_000,
  ontologies: 1_000,
  webhooks: 10,
  eventStreams: 8,
  pendingJobs: 5_000,
  storedBytes: 2 * GIB,
  concurrentQueries: 8,
};
