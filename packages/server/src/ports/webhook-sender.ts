export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface Sent {
  readonly durationMs: number;
  /** What was answered; null when nothing was. */
  readonly responseStatus: number | null;
  /** "accepted": by any success. "gone": the receiver says that it wants no more. */
  readonly outcome: "accepted" | "refused" | "gone";
  /** For whoever owns the webhook; null when it was accepted. */
  readonly error: string | null;
}

/** Reaches receivers outside. */
export interface WebhookSender {
  /** What is wrong with an address before anything is sent to it; null when it may be tried. */
  addressFault(url: string): string | null;
  /** One try with a deadline. Rejects only when `stop` is aborted. */
  send(message: WebhookMessage, stop: AbortSignal): Promise<Sent>;
}
