/** A model that finds the answer to a question in a passage, as a span of it, and tells how likely the passage has none. */
export interface AnswerFinder {
  readonly model: string;
  /** Time for the passages of one question. */
  readonly limitMs: number;
  /** Depends on the two texts alone. @throws ServiceError when the model cannot be used */
  find(question: string, passage: string): Promise<FoundAnswers>;
}

export interface FoundAnswers {
  /** Best first; at most a dozen for each window of the passage. */
  readonly spans: readonly AnswerSpan[];
  /** On the scale of the spans' scores: a span below it is no answer. */
  readonly noAnswerScore: number;
}

export interface AnswerSpan {
  /** Offsets in the passage, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** 0…1 in a passage of one window; the same answer in overlapping windows counts with the sum. */
  readonly score: number;
}
