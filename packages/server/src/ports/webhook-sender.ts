export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** The result of one attempt to deliver a message. */
export interface SendResult {
  readonly durationMs: number;
  /** HTTP status of the response; null when there was none. */
  readonly responseStatus: number | null;
  /** "accepted": any success status. "gone": the receiver asks for no further messages. */
  readonly outcome: "accepted" | "refused" | "gone";
  /** Shown to the owner of the webhook; null when the message was accepted. */
  readonly error: string | null;
}

/** Sends webhook messages to external receivers. */
export interface WebhookSender {
  /** Checks a URL without sending anything. Returns the fault, or null when the URL is acceptable. */
  addressFault(url: string): string | null;
  /** Makes one attempt with a deadline. Rejects only when `stop` is aborted. */
  send(message: WebhookMessage, stop: AbortSignal): Promise<SendResult>;
}
