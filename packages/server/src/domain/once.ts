/** Idempotent requests: a request with a key takes effect once, however often it is sent. */

/** The key that the client chose for a request, and a digest of that request. */
export interface RequestKey {
  readonly key: string;
  /** Digest of method, path and body. The same key with another fingerprint is an error of the client. */
  readonly fingerprint: string;
}

/** `answerOf` makes the response body that is stored with the key and sent for every repetition. */
export interface Once<Made> extends RequestKey {
  readonly answerOf: (made: Made) => string;
}

/** Thrown for a repetition; `answer` is the stored body of the first response. */
export class AlreadyAnswered extends Error {
  readonly answer: string;

  constructor(answer: string) {
    super("The request was carried out before.");
    this.name = "AlreadyAnswered";
    this.answer = answer;
  }
}
