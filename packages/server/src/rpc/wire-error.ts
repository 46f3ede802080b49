/** Errors as plain data: the structured clone of an error loses its class. */
import { ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import { DamagedIndexError, type SegmentKey } from "../domain/index-damage.ts";
import { EmbeddingError } from "../ports/embedder.ts";
import { ReaderUnavailableError } from "../ports/entity-reader.ts";
import { StoreUnavailableError } from "../ports/store.ts";

export interface WireError {
  readonly type: WireErrorType;
  readonly message: string;
  readonly stack: string | null;
  /** The message of the error's cause. */
  readonly cause: string | null;
}

/** The errors that callers tell apart, with their fields. Every other error arrives as a plain `Error`. */
type WireErrorType =
  | { readonly kind: "plain" }
  | { readonly kind: "reader_unavailable" }
  | { readonly kind: "store_unavailable"; readonly reason: StoreUnavailableError["reason"] }
  | { readonly kind: "damaged_index"; readonly segment: SegmentKey }
  | {
      readonly kind: "embedding";
      readonly failure: EmbeddingError["failure"];
      readonly retryAt: number | null;
    }
  | {
      readonly kind: "service";
      readonly error: ServiceErrorKind;
      readonly retryAfterSeconds: number | null;
      readonly severity: ServiceError["severity"];
    };

export function toWireError(error: unknown): WireError {
  if (!(error instanceof Error)) {
    return { type: { kind: "plain" }, message: String(error), stack: null, cause: null };
  }
  return {
    type: typeOf(error),
    message: error.message,
    stack: error.stack ?? null,
    cause: error.cause instanceof Error ? error.cause.message : null,
  };
}

export function fromWireError(wire: WireError): Error {
  const error = revive(wire, wire.cause === null ? undefined : new Error(wire.cause));
  // The stack of the thread that threw is more useful than that of the caller.
  if (wire.stack !== null) error.stack = wire.stack;
  return error;
}

function typeOf(error: Error): WireErrorType {
  if (error instanceof StoreUnavailableError) return { kind: "store_unavailable", reason: error.reason };
  if (error instanceof DamagedIndexError) {
    const { projectId, segmentId } = error;
    return { kind: "damaged_index", segment: { projectId, segmentId } };
  }
  if (error instanceof ReaderUnavailableError) return { kind: "reader_unavailable" };
  if (error instanceof EmbeddingError) {
    return { kind: "embedding", failure: error.failure, retryAt: error.retryAt };
  }
  if (error instanceof ServiceError) {
    const { kind, retryAfterSeconds, severity } = error;
    return { kind: "service", error: kind, retryAfterSeconds, severity };
  }
  return { kind: "plain" };
}

function revive({ type, message }: WireError, cause: Error | undefined): Error {
  if (type.kind === "store_unavailable") return new StoreUnavailableError(type.reason, message, cause);
  // Its constructor makes the message of the segment and the cause.
  if (type.kind === "damaged_index") return new DamagedIndexError(type.segment, cause ?? new Error(message));
  if (type.kind === "reader_unavailable") return new ReaderUnavailableError(message, cause);
  if (type.kind === "embedding")
    return new EmbeddingError(type.failure, message, { cause, retryAt: type.retryAt });
  if (type.kind === "service") {
    const { error, retryAfterSeconds, severity } = type;
    const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds };
    return new ServiceError(error, message, { ...retry, severity, cause });
  }
  return new Error(message, cause === undefined ? undefined : { cause });
}
