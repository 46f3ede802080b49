/** The weights of the bundled model cannot be used. The message says what happened and what to do about it. */
export class ModelUnavailableError extends Error {
  override readonly name = "ModelUnavailableError";
}
