/** Why a try of a call of the segment store failed. Its text is for callers, so it names no host and no secret. */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
  /** Another try would have the same result. */
  readonly isLasting: boolean;

  constructor(message: string, isLasting: boolean) {
    super(message);
    this.isLasting = isLasting;
  }
}
