/** There is no model to embed with; nothing is wrong with the text, so it is tried again later. */
export class EmbedderUnavailableError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "EmbedderUnavailableError";
  }
}

/** Turns text into a unit vector; a function of the text alone. */
export interface Embedder {
  readonly model: string;
  readonly dimensions: number;
  embed(text: string): Promise<Float32Array>;
  /** Tokens of the model in a text, special tokens not counted. */
  countTokens(text: string): number;
}
