/** What went wrong with one try, told apart by what can be done about it. */
export type FaultKind = "timeout" | "unavailable" | "rate_limited" | "refused";

export class ProviderFault extends Error {
  readonly kind: FaultKind;
  /** The provider has too much to do: fewer tries at once may help. */
  readonly isOverload: boolean;
  /** The request itself is not liked, as it would not be a second time. */
  readonly isBadRequest: boolean;
  /** As the provider asks; null where it does not. */
  readonly retryAfterMs: number | null;
  /** The beginning of what the provider wrote, for the log alone: it may tell of the operator's account. */
  readonly detail: string;

  constructor(
    kind: FaultKind,
    message: string,
    options: {
      readonly isOverload?: boolean;
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
    this.isBadRequest = options.isBadRequest ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.detail = options.detail ?? "";
  }
}

/** Any error of a try. What the library makes of an answer that it cannot read is the provider's fault, too. */
export function toFault(error: unknown): ProviderFault {
  const fault = faultWithin(error);
  if (fault !== null) return fault;
  const detail = error instanceof Error ? error.message : String(error);
  return new ProviderFault("unavailable", "its answer did not follow the protocol", { detail, cause: error });
}

/** The library wraps some of the errors that its `fetch` throws. */
function faultWithin(error: unknown): ProviderFault | null {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof ProviderFault) return inner;
    inner = inner.cause;
  }
  return null;
}
