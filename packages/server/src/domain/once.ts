/** A request that may be sent again and is carried out once. */

/** A key that the client chose for a request, and what the request said. */
export interface RequestKey {
  readonly key: string;
  /** Of method, path and body: another request with the same key is a mistake. */
  readonly fingerprint: string;
}

/** Carried out once: what it makes is answered with `answerOf`, and so is every repetition. */
export interface Once<Made> extends RequestKey {
  readonly answerOf: (made: Made) => string;
}

/** Thrown where a request was carried out before; `answer` is what it was answered then. */
export class AlreadyAnswered extends Error {
  readonly answer: string;

  constructor(answer: string) {
    super("The request was carried out before.");
    this.name = "AlreadyAnswered";
    this.answer = answer;
  }
}
