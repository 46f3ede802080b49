/** What database threads are asked, over the RPC of `rpc/`. */
import type { MessagePort } from "node:worker_threads";
import type { QueryResult } from "kysely";
import type { OpenedFile } from "./opened-files.ts";
import type { OperationName } from "./operations/registry.ts";
import type { Trial } from "./sqlite-changes.ts";

/** What a database thread is started with. */
export interface ThreadSetup {
  readonly path: string;
  readonly role: "writer" | "reader";
  readonly now: number;
  /** Without the write-ahead log, which opening the database creates. */
  readonly files: readonly OpenedFile[];
}

/** Requests of whoever started the thread. The first is "open". */
export type ControlRequest =
  | { readonly kind: "open" }
  | { readonly kind: "connect"; readonly port: MessagePort }
  | { readonly kind: "close" };

/** `startFault`: the message and cause of a `DatabaseStartError`; null when the database is open. */
export interface ControlReply {
  readonly startFault: { readonly message: string; readonly cause: string | null } | null;
}

/** Requests on a connected port. */
export type DatabaseRequest =
  | { readonly kind: "operation"; readonly name: OperationName; readonly input: unknown }
  | { readonly kind: "statement"; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: "trial"; readonly trial: Trial };

export type StatementResult = QueryResult<unknown>;

/** The buffers of bytes, vectors or lists of them that their sender has no more use for: they move. */
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
