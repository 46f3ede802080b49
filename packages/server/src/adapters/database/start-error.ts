/** The database cannot be opened for a reason that the operator can put right; the message says how. */
export class DatabaseStartError extends Error {
  /** Shown without a stack: it is no fault of the program. */
  readonly expected = true;

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DatabaseStartError";
  }
}
