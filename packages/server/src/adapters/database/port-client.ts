/** One end of a port whose other end a database thread answers. */
import { setImmediate as turn } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { ownWork, type ReadCurrentWork } from "../../ports/current-work.ts";
import type { OnceStore } from "../../ports/event-store.ts";
import type { StageBatch } from "../../ports/reembed-store.ts";
import {
  type AcceptDocuments,
  type CommitBatch,
  type Store,
  StoreUnavailableError,
} from "../../ports/store.ts";
import { createRpcClient, type RpcClient } from "../../rpc/rpc.ts";
import { createCallTurns } from "./call-turns.ts";
import type { OperationMode } from "./operations/operation.ts";
import { type OperationName, operations } from "./operations/registry.ts";
import type { Trial, TrialResult } from "./sqlite-changes.ts";
import { ownSegment, packBatch, packStage } from "./store-client.ts";
import { type DatabaseRequest, type StatementResult, transferablesOf } from "./thread-messages.ts";

/**
 * Requests that the thread has at a time. The others wait here, in turns by account, so that one account's burst delays
 * another's request by these few. Their answers arrive in one turn of the event loop at most.
 */
const depth = 3;
/** Enough to keep the thread busy. The request of another account is sent at once, and waits for these alone. */
const depthOfAccount = 2;

export interface PortClient {
  readonly rpc: RpcClient<DatabaseRequest, unknown>;
  call(name: OperationName, input: unknown): Promise<unknown>;
  execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult>;
  tryOut(trial: Trial): Promise<TrialResult>;
  /** Waits for the answers that are due, then closes the port. */
  close(): Promise<void>;
}

export interface PortOptions {
  /** Receives each change of the number of requests without an answer. */
  readonly onPending: (change: number) => void;
  readonly currentWork: ReadCurrentWork;
}

export function createPortClient(
  port: MessagePort,
  { onPending, currentWork }: PortOptions = { onPending: () => undefined, currentWork: ownWork },
): PortClient {
  const rpc = createRpcClient<DatabaseRequest, unknown>(port);
  port.on("close", () => rpc.fail(threadStopped()));
  const inTurn = createCallTurns({ atOnce: depth, ofAccount: depthOfAccount, currentWork });
  let pending = 0;
  let idle: PromiseWithResolvers<void> | null = null;

  function count(change: 1 | -1): void {
    pending += change;
    onPending(change);
    if (pending === 0) idle?.resolve();
  }

  async function ask(
    mode: OperationMode,
    request: DatabaseRequest,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<unknown> {
    count(1);
    try {
      return await inTurn(mode, async () => {
        const answer = await rpc.call(request, moved);
        // A port hands over messages for as long as there are any. If the next request were sent before the event loop has
        // turned, its answer would arrive in time to be one of them: a burst would hold the event loop until its end.
        await turn();
        return answer;
      });
    } finally {
      count(-1);
    }
  }

  return {
    rpc,
    call(name, input) {
      const request = { kind: "operation", name, input: prepareInput(name, input) } as const;
      return ask(operations[name].mode, request, movedBytes(name, input));
    },
    // The thread answers a statement with the result of running it.
    execute: (sql, parameters) =>
      ask("write", { kind: "statement", sql, parameters }) as Promise<StatementResult>,
    // Likewise.
    tryOut: (trial) => ask("write", { kind: "trial", trial }) as Promise<TrialResult>,
    async close() {
      if (pending > 0) {
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
    const merge = input as Parameters<Store["replaceSegments"]>[0]; // Likewise.
    return merge.bytes === null ? merge : { ...merge, bytes: ownSegment(merge.bytes) };
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
