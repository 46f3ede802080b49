import type { MessagePort } from "node:worker_threads";
import { errors } from "../../domain/errors.ts";
import type { OnceStore } from "../../ports/event-store.ts";
import type { StageBatch } from "../../ports/reembed-store.ts";
import { type AcceptDocuments, type CommitBatch, StoreUnavailableError } from "../../ports/store.ts";
import type { OperationName } from "./operations/registry.ts";
import { ownBytes, packBatch, packStage } from "./store-client.ts";
import {
  fromWireError,
  type StatementResult,
  type ThreadReply,
  type ThreadRequest,
  transferablesOf,
} from "./thread-messages.ts";

/** Requests that may wait for one thread on one port; more are refused rather than kept in memory. */
const maxWaiting = 2_048;

/** One end of a port whose other end a database thread answers. */
export interface PortClient {
  call(name: OperationName, input: unknown): Promise<unknown>;
  execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult>;
  /** Waits for the answers that are due, then closes the port. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

type Question =
  | { readonly kind: "operation"; readonly name: OperationName; readonly input: unknown }
  | { readonly kind: "statement"; readonly sql: string; readonly parameters: readonly unknown[] };

export function createPortClient(port: MessagePort): PortClient {
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let open = true;
  let drained: (() => void) | null = null;

  port.on("message", (reply: ThreadReply) => {
    const asked = waiting.get(reply.id);
    if (asked === undefined) return;
    waiting.delete(reply.id);
    if ("error" in reply) asked.reject(fromWireError(reply.error));
    else asked.resolve(reply.value);
    if (waiting.size === 0) drained?.();
  });
  port.on("close", () => {
    open = false;
    for (const asked of waiting.values()) asked.reject(threadGone());
    waiting.clear();
    drained?.();
  });

  const ask = (question: Question, moved: readonly ArrayBuffer[] = []): Promise<unknown> => {
    if (!open) return Promise.reject(threadGone());
    if (waiting.size >= maxWaiting) {
      return Promise.reject(
        errors.unavailable("The database has too many requests waiting. Try again in a moment.", {
          retryAfterSeconds: 1,
        }),
      );
    }
    return new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      const request: ThreadRequest = { id, ...question };
      port.postMessage(request, [...moved]);
    });
  };
  return {
    call: (name, input) =>
      ask({ kind: "operation", name, input: prepareInput(name, input) }, movedBytes(name, input)),
    // The thread answers a statement with the result of running it.
    execute: (sql, parameters) => ask({ kind: "statement", sql, parameters }) as Promise<StatementResult>,
    close: async () => {
      if (waiting.size > 0)
        await new Promise<void>((resolve) => {
          drained = resolve;
        });
      open = false;
      port.close();
    },
  };
}

/** Cuts bytes out of larger buffers, which would be copied whole. */
function prepareInput(name: OperationName, input: unknown): unknown {
  if (name === "commitBatch") return packBatch(input as CommitBatch); // That operation's input, by the store's type.
  if (name === "stageBatch") return packStage(input as StageBatch); // Likewise.
  if (name === "replaceSegments") {
    const merge = input as { readonly bytes: Uint8Array | null };
    return merge.bytes === null ? merge : { ...merge, bytes: ownBytes(merge.bytes) };
  }
  return input;
}

/** Texts that were encoded beforehand may be many megabytes: copying them would hold up the calling thread. */
function movedBytes(name: OperationName, input: unknown): readonly ArrayBuffer[] {
  if (name === "performOnce") {
    const { call } = input as Parameters<OnceStore["performOnce"]>[0]; // Likewise.
    return movedBytes(call.name, call.input);
  }
  if (name !== "acceptDocuments") return [];
  const { documents } = input as AcceptDocuments; // That operation's input, by the store's type.
  return transferablesOf(documents.map(({ text }) => (typeof text === "string" ? null : text.bytes)));
}

function threadGone(): StoreUnavailableError {
  return new StoreUnavailableError(
    "io_error",
    "The database thread has stopped. Restart the service; what was accepted before is on disk.",
    undefined,
  );
}
