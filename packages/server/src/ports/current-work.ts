/** For whom the service works at the moment. What many accounts share asks for it. */
export interface CurrentWork {
  /** "" for work of the service itself; may be `UNKNOWN_CALLER`. */
  readonly accountId: string;
  /** Aborted when nobody waits for the result of a read any more; null = the work is wanted in any case. */
  readonly signal: AbortSignal | null;
}

/** In place of an account's id: a request whose caller is not known yet, or has no account. */
export const UNKNOWN_CALLER = "unknown caller";

/** Runs a function, with all that it begins, as work of an account: shared resources are divided between accounts. */
export type ActAs = (work: CurrentWork, run: () => void) => void;

export type ReadCurrentWork = () => CurrentWork;

const OWN_WORK: CurrentWork = { accountId: "", signal: null };

export const ownWork: ReadCurrentWork = () => OWN_WORK;
