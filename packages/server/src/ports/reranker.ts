/** A model that reads a question and a passage together. */
export interface Reranker {
  readonly model: string;
  /** Time for the passages of one question. */
  readonly limitMs: number;
  /** Higher is more relevant. Depends on the two texts alone. @throws ServiceError when the model cannot be used */
  score(question: string, passage: string): Promise<number>;
}
