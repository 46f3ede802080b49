/** A file that cannot be turned into text, now and at any later try. */
export class UnreadableFile extends Error {
  /** One plain English sentence that may be shown to the sender. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "UnreadableFile";
    this.reason = reason;
  }
}
