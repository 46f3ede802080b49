import { shortened } from "./shortened.ts";

/** Reasons quote names and texts of the file. */
const MAX_REASON = 1_000;

/** A file that cannot be turned into text, now and at any later try. */
export class UnreadableFile extends Error {
  /** One plain English sentence that may be shown to the sender. */
  readonly reason: string;

  constructor(reason: string) {
    const sentence = shortened(reason, MAX_REASON);
    super(sentence);
    this.name = "UnreadableFile";
    this.reason = sentence;
  }
}
