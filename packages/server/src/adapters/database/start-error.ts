/** The database cannot be opened for a reason that the operator can fix. The message says how. */
export class DatabaseStartError extends Error {
  /** Printed without a stack, because it is not a bug. */
  readonly expected = true;

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DatabaseStartError";
  }
}
