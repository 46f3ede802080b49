export interface ProviderRequest {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema that the provider must enforce; null = plain text. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxOutputTokens: number;
  /** null = the model's default. */
  readonly temperature: number | null;
  readonly signal: AbortSignal;
  /** Gets the text in parts while the model writes it; null = it is not needed before it is whole. */
  readonly onText: ((delta: string) => void) | null;
}

export interface ProviderReply {
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Provider {
  /**
   * Makes one request, without retries.
   * @throws ProviderFault, errors of the library that parses the reply, or the signal's reason
   */
  ask(request: ProviderRequest): Promise<ProviderReply>;
}
