/** Kinds of failure of one try, distinguished by what can be done about them. */
export type FaultKind = "timeout" | "unavailable" | "rate_limited" | "refused";

export class ProviderFault extends Error {
  readonly kind: FaultKind;
  /** The provider is overloaded: fewer concurrent tries may help. */
  readonly isOverload: boolean;
  /** There was no connection to it, whatever was asked for. */
  readonly isUnreachable: boolean;
  /** The provider rejects the request itself; the same request would fail again. */
  readonly isBadRequest: boolean;
  /** The wait that the provider asks for; null when it does not ask for one. */
  readonly retryAfterMs: number | null;
  /**
   * The beginning of the provider's text. Only for the log, because it may reveal facts about the operator's
   * account.
   */
  readonly detail: string;

  constructor(
    kind: FaultKind,
    message: string,
    options: {
      readonly isOverload?: boolean;
      readonly isUnreachable?: boolean;
      readonly isBadRequest?: boolean;
      readonly retryAfterMs?: number | null;
      readonly detail?: string;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProviderFault";
    this.kind = kind;
    this.isOverload = options.isOverload ?? false;
    this.isUnreachable = options.isUnreachable ?? false;
    this.isBadRequest = options.isBadRequest ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.detail = options.detail ?? "";
  }
}

/**
 * Converts any error of a try. An error of the library about a reply that it cannot parse counts as the
 * provider's fault.
 */
export function toFault(error: unknown): ProviderFault {
  const fault = faultWithin(error);
  if (fault !== null) return fault;
  const detail = error instanceof Error ? error.message : String(error);
  return new ProviderFault("unavailable", "its reply did not follow the protocol", { detail, cause: error });
}

/**
 * Finds a ProviderFault in the chain of causes: the library wraps some of the errors that its `fetch` throws.
 */
function faultWithin(error: unknown): ProviderFault | null {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof ProviderFault) return inner;
    inner = inner.cause;
  }
  return null;
}
