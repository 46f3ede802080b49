import type { MessagePort } from "node:worker_threads";
import type { QueryResult } from "kysely";
import { StoreUnavailableError } from "../../ports/store.ts";
import type { OperationName } from "./operations/registry.ts";
import { DatabaseStartError } from "./start-error.ts";

/** What a database thread is started with. */
export interface ThreadSetup {
  readonly path: string;
  readonly role: "writer" | "reader";
  readonly now: number;
}

/** What a database thread is asked on one of its ports. */
export type ThreadRequest =
  | { readonly id: number; readonly kind: "operation"; readonly name: OperationName; readonly input: unknown }
  | {
      readonly id: number;
      readonly kind: "statement";
      readonly sql: string;
      readonly parameters: readonly unknown[];
    };

export type ThreadReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: WireError };

/** What the thread is told by whoever started it. */
export type ThreadControl =
  | { readonly kind: "connect"; readonly port: MessagePort }
  | { readonly kind: "close" };

/** What the thread tells whoever started it. */
export type ThreadNotice =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly error: WireError }
  | { readonly kind: "closed" };

export type StatementResult = QueryResult<unknown>;

/** An error as plain data: the structured clone of an error loses its class. */
export interface WireError {
  readonly message: string;
  readonly stack: string | null;
  /** The reason of a `StoreUnavailableError`, null for any other error. */
  readonly reason: StoreUnavailableError["reason"] | null;
  /** True of a `DatabaseStartError`. */
  readonly expected: boolean;
  readonly cause: string | null;
}

export function toWireError(error: unknown): WireError {
  if (!(error instanceof Error)) {
    return { message: String(error), stack: null, reason: null, expected: false, cause: null };
  }
  return {
    message: error.message,
    stack: error.stack ?? null,
    reason: error instanceof StoreUnavailableError ? error.reason : null,
    expected: error instanceof DatabaseStartError,
    cause: error.cause instanceof Error ? error.cause.message : null,
  };
}

export function fromWireError(wire: WireError): Error {
  const error = revive(wire, wire.cause === null ? undefined : new Error(wire.cause));
  // Where it happened says more than where it arrived.
  if (wire.stack !== null) error.stack = wire.stack;
  return error;
}

function revive(wire: WireError, cause: Error | undefined): Error {
  if (wire.reason !== null) return new StoreUnavailableError(wire.reason, wire.message, cause);
  if (wire.expected) return new DatabaseStartError(wire.message, cause);
  return new Error(wire.message, cause === undefined ? undefined : { cause });
}

/** Buffers of a reply that the sender has no more use for: they move instead of being copied. */
export function transferablesOf(value: unknown): ArrayBuffer[] {
  const views =
    value instanceof Uint8Array
      ? [value]
      : Array.isArray(value)
        ? value
        : value instanceof Map
          ? [...value.values()]
          : [];
  const buffers = new Set<ArrayBuffer>();
  for (const view of views) {
    if (ArrayBuffer.isView(view) && view.buffer instanceof ArrayBuffer) buffers.add(view.buffer);
  }
  return [...buffers];
}
