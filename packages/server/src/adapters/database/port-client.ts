/** One end of a port whose other end a database thread answers. */
import type { MessagePort } from "node:worker_threads";
import { errors } from "../../domain/errors.ts";
import type { OnceStore } from "../../ports/event-store.ts";
import type { StageBatch } from "../../ports/reembed-store.ts";
import { type AcceptDocuments, type CommitBatch, StoreUnavailableError } from "../../ports/store.ts";
import { createRpcClient, type RpcClient } from "../../rpc/rpc.ts";
import { createTurns } from "../../rpc/turns.ts";
import type { OperationName } from "./operations/registry.ts";
import { ownBytes, packBatch, packStage } from "./store-client.ts";
import { type DatabaseRequest, type StatementResult, transferablesOf } from "./thread-messages.ts";

/** Requests that may wait for one thread on one port; more are refused rather than kept in memory. */
const maxWaiting = 2_048;
const maxWaitingOfAccount = 512;
/**
 * Requests that the thread has at a time. The others wait here, in turns by account, so that one account's burst delays
 * another's request by these few. Their answers arrive in one turn of the event loop at most.
 */
const depth = 3;

export interface PortClient {
  readonly rpc: RpcClient<DatabaseRequest, unknown>;
  call(name: OperationName, input: unknown): Promise<unknown>;
  execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult>;
  /** Waits for the answers that are due, then closes the port. */
  close(): Promise<void>;
}

export interface PortOptions {
  /** Receives each change of the number of requests without an answer. */
  readonly onPending: (change: number) => void;
  /** The account that the current work is for; "" for work of the service itself. */
  readonly accountOf: () => string;
}

export function createPortClient(
  port: MessagePort,
  { onPending, accountOf }: PortOptions = { onPending: () => undefined, accountOf: () => "" },
): PortClient {
  const rpc = createRpcClient<DatabaseRequest, unknown>(port);
  port.on("close", () => rpc.fail(threadStopped()));
  const waiting = createTurns<() => void>();
  let idle: PromiseWithResolvers<void> | null = null;

  let running = 0;

  function sendNext(): void {
    running--;
    const send = waiting.next();
    if (send !== null) {
      running++;
      send();
    }
    if (running === 0) idle?.resolve();
  }

  async function ask(request: DatabaseRequest, moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    const account = accountOf();
    const isFull = account !== "" && waiting.sizeOf(account) >= maxWaitingOfAccount;
    if (isFull || waiting.size + running >= maxWaiting) throw tooManyWaiting();
    onPending(1);
    if (running < depth) running++;
    else await new Promise<void>((send) => waiting.add(account, send));
    try {
      return await rpc.call(request, moved);
    } finally {
      onPending(-1);
      sendNext();
    }
  }

  return {
    rpc,
    call: (name, input) =>
      ask({ kind: "operation", name, input: prepareInput(name, input) }, movedBytes(name, input)),
    // The thread answers a statement with the result of running it.
    execute: (sql, parameters) => ask({ kind: "statement", sql, parameters }) as Promise<StatementResult>,
    async close() {
      if (running > 0) {
        idle = Promise.withResolvers();
        await idle.promise;
      }
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

function tooManyWaiting() {
  return errors.unavailable("The database has too many requests waiting. Try again in a moment.", {
    retryAfterSeconds: 1,
  });
}

function threadStopped(): StoreUnavailableError {
  return new StoreUnavailableError(
    "io_error",
    "The database thread has stopped. Restart the service; what was accepted before is on disk.",
    undefined,
  );
}
