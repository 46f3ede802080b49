/** One end of a port whose other end a database thread answers. */
import type { MessagePort } from "node:worker_threads";
import { errors } from "../../domain/errors.ts";
import type { OnceStore } from "../../ports/event-store.ts";
import type { StageBatch } from "../../ports/reembed-store.ts";
import { type AcceptDocuments, type CommitBatch, StoreUnavailableError } from "../../ports/store.ts";
import { createRpcClient, type RpcClient } from "../../rpc/rpc.ts";
import type { OperationName } from "./operations/registry.ts";
import { ownBytes, packBatch, packStage } from "./store-client.ts";
import { type DatabaseRequest, type StatementResult, transferablesOf } from "./thread-messages.ts";

/** Requests that may wait for one thread on one port; more are refused rather than kept in memory. */
const maxWaiting = 2_048;

export interface PortClient {
  readonly rpc: RpcClient<DatabaseRequest, unknown>;
  call(name: OperationName, input: unknown): Promise<unknown>;
  execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult>;
  /** Waits for the answers that are due, then closes the port. */
  close(): Promise<void>;
}

/** `onPending` receives each change of the number of requests without an answer. */
export function createPortClient(
  port: MessagePort,
  onPending: (change: number) => void = () => undefined,
): PortClient {
  const rpc = createRpcClient<DatabaseRequest, unknown>(port);
  port.on("close", () => rpc.fail(threadStopped()));

  function ask(request: DatabaseRequest, moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (rpc.pending < maxWaiting) {
      onPending(1);
      return rpc.call(request, moved).finally(() => onPending(-1));
    }
    return Promise.reject(
      errors.unavailable("The database has too many requests waiting. Try again in a moment.", {
        retryAfterSeconds: 1,
      }),
    );
  }

  return {
    rpc,
    call: (name, input) =>
      ask({ kind: "operation", name, input: prepareInput(name, input) }, movedBytes(name, input)),
    // The thread answers a statement with the result of running it.
    execute: (sql, parameters) => ask({ kind: "statement", sql, parameters }) as Promise<StatementResult>,
    async close() {
      await rpc.drained();
      rpc.fail(threadStopped());
      port.close();
    },
  };
}

/** Cuts bytes out of larger buffers, which would be copied in full. */
function prepareInput(name: OperationName, input: unknown): unknown {
  if (name === "commitBatch") return packBatch(input as CommitBatch); // That operation's input, by the store's type.
  if (name === "stageBatch") return packStage(input as StageBatch); // Likewise.
  if (name === "replaceSegments") {
    const merge = input as { readonly bytes: Uint8Array | null }; // Likewise.
    return merge.bytes === null ? merge : { ...merge, bytes: ownBytes(merge.bytes) };
  }
  return input;
}

/** Texts that are already encoded may be many megabytes: copying them would block the calling thread. */
function movedBytes(name: OperationName, input: unknown): readonly ArrayBuffer[] {
  if (name === "performOnce") {
    const { call } = input as Parameters<OnceStore["performOnce"]>[0]; // That operation's input, by the store's type.
    return movedBytes(call.name, call.input);
  }
  if (name !== "acceptDocuments") return [];
  const { documents } = input as AcceptDocuments; // Likewise.
  return transferablesOf(documents.map(({ text }) => (typeof text === "string" ? null : text.bytes)));
}

function threadStopped(): StoreUnavailableError {
  return new StoreUnavailableError(
    "io_error",
    "The database thread has stopped. Restart the service; what was accepted before is on disk.",
    undefined,
  );
}
