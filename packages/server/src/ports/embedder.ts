/** Turns text into a unit vector; a function of the text alone. */
export interface Embedder {
  readonly model: string;
  readonly dimensions: number;
  embed(text: string): Promise<Float32Array>;
  /** Tokens of the model in a text, special tokens not counted. */
  countTokens(text: string): number;
}
