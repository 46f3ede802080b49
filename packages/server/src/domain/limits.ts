/** What one account may have and do. */
export interface AccountLimits {
  readonly projects: number;
  readonly ontologies: number;
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
  pendingJobs: null,
  storedBytes: null,
  concurrentQueries: null,
};

export const OPEN_SIGN_UP_LIMITS: AccountLimits = {
  projects: 1_000,
  ontologies: 1_000,
  pendingJobs: 5_000,
  storedBytes: 2 * GIB,
  concurrentQueries: 8,
};
