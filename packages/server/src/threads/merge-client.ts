/** The ingest thread's side of the merge thread. */
import { Worker } from "node:worker_threads";
import {
  createSegmentWork,
  type SegmentWork,
  type SegmentWorkRequest,
  type SegmentWorkResult,
} from "../engine/index/segment-work.ts";
import { INGEST_HEAP } from "./heap-limits.ts";
import { createHelperThread } from "./helper-thread.ts";

export interface MergeThread extends SegmentWork {
  /** Ends the thread at once; what it was doing fails. May be called twice. */
  close(): Promise<void>;
}

const IDLE_MS = 20_000;

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
  const thread = createHelperThread<SegmentWorkRequest, SegmentWorkResult>({
    name: "merge",
    idleMs,
    startWorker,
  });
  const ask = (request: SegmentWorkRequest) => {
    const { sent, buffers } = handOver(request);
    return thread.ask(sent, buffers);
  };
  return { ...createSegmentWork(ask), close: thread.close };
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
