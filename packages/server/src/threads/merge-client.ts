/** The ingest thread's side of the merge thread. */
import { Worker } from "node:worker_threads";
import {
  createSegmentWork,
  type SegmentWork,
  type SegmentWorkRequest,
  type SegmentWorkResult,
} from "../engine/index/segment-work.ts";
import { INGEST_HEAP } from "./heap-limits.ts";
import { createRpcClient, type RpcClient, ThreadGoneError } from "./rpc.ts";

export interface MergeThread extends SegmentWork {
  /** Ends the thread at once; what it was doing fails. May be called twice. */
  close(): Promise<void>;
}

const IDLE_MS = 20_000;

interface Running {
  readonly worker: Worker;
  readonly client: RpcClient<SegmentWorkRequest, SegmentWorkResult>;
}

/**
 * Starts a thread with the first request and ends it when there was none for `idleMs`. One that dies fails what it was
 * asked with a `ThreadGoneError`, and the next request starts another.
 */
export function createMergeThread({
  idleMs = IDLE_MS,
  startWorker = startMergeWorker,
}: {
  readonly idleMs?: number;
  readonly startWorker?: () => Worker;
} = {}): MergeThread {
  let current: Running | null = null;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): Running {
    const worker = startWorker();
    const running: Running = { worker, client: createRpcClient(worker) };
    const gone = (cause?: unknown) => {
      if (current === running) current = null;
      running.client.fail(new ThreadGoneError("merge", cause));
    };
    worker.once("error", gone);
    worker.once("exit", () => gone());
    return running;
  }

  /** It runs nothing but JavaScript, which may be ended anywhere; its results are handed over whole. */
  async function end(): Promise<void> {
    clearTimeout(idle);
    const running = current;
    current = null;
    await running?.worker.terminate();
  }

  async function ask(request: SegmentWorkRequest): Promise<SegmentWorkResult> {
    if (closed) throw new ThreadGoneError("merge");
    clearTimeout(idle);
    current ??= start();
    const running = current;
    const { sent, buffers } = handOver(request);
    try {
      return await running.client.call(sent, buffers);
    } finally {
      if (current === running && running.client.pending === 0) {
        idle = setTimeout(() => void end(), idleMs).unref();
      }
    }
  }

  return {
    ...createSegmentWork(ask),
    async close() {
      closed = true;
      await end();
    },
  };
}

function startMergeWorker(): Worker {
  return new Worker(new URL("./merge-thread.ts", import.meta.url), { resourceLimits: INGEST_HEAP });
}

/** The request with its bytes in buffers of their own, which move to the other thread. */
function handOver(request: SegmentWorkRequest): {
  readonly sent: SegmentWorkRequest;
  readonly buffers: readonly ArrayBuffer[];
} {
  const buffers = new Set<ArrayBuffer>();
  const own = (bytes: Uint8Array): Uint8Array => {
    const owned = ownBytes(bytes);
    buffers.add(owned.buffer);
    return owned;
  };
  const sent = ((): SegmentWorkRequest => {
    if (request.kind === "merge") {
      return { ...request, inputs: request.inputs.map((input) => ({ ...input, bytes: own(input.bytes) })) };
    }
    if (request.kind === "positions") {
      return { ...request, segment: { ...request.segment, bytes: own(request.segment.bytes) } };
    }
    return request;
  })();
  return { sent, buffers: [...buffers] };
}

/** A part of a larger buffer (PostgreSQL's client reads into such) is copied: moving it would take the rest along. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
