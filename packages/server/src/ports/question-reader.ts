/** A model that reads a question and a passage together. */
export interface QuestionReader {
  /** Depends on the texts alone; what is too long is cut at the end. */
  read(
    question: string,
    passage: { readonly header: string; readonly text: string },
  ): Promise<QuestionReading>;
}

export interface QuestionReading {
  /** Above 0 the passage rather answers the question than not. */
  readonly logit: number;
  /** Where in `text` an answer would be, in UTF-16 code units; null for an empty text. */
  readonly span: { readonly start: number; readonly end: number } | null;
}
