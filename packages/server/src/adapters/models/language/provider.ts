/** A provider as its client sees it: one question, one answer, no retries. */
export interface Question {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  /** What the reply is to be locked to; null = plain text. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxOutputTokens: number;
  /** null = the model's own. */
  readonly temperature: number | null;
  readonly signal: AbortSignal;
}

export interface Answered {
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Provider {
  /** @throws ProviderFault, errors of the library that reads the answer, or the signal's reason */
  ask(question: Question): Promise<Answered>;
}
