/** For whom the service works at the moment. What many accounts share asks for it. */
export interface CurrentWork {
  /** "" for work of the service itself. */
  readonly accountId: string;
  /** Aborted when nobody waits for the result of a read any more; null = the work is wanted in any case. */
  readonly signal: AbortSignal | null;
}

/** Runs a function, with all that it begins, as work of an account: shared resources are divided between accounts. */
export type ActAs = (work: CurrentWork, run: () => void) => void;

export type ReadCurrentWork = () => CurrentWork;

const OWN_WORK: CurrentWork = { accountId: "", signal: null };

export const ownWork: ReadCurrentWork = () => OWN_WORK;
