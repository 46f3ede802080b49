/** A file that cannot be turned into text. */
export class UnreadableFile extends Error {
  /** One sentence, which may be shown to the sender. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "UnreadableFile";
    this.reason = reason;
  }
}
