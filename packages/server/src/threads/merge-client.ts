/** The ingest thread's side of the merge thread. */
import { Worker } from "node:worker_threads";
import {
  createSegmentWork,
  type SegmentWork,
  type SegmentWorkRequest,
  type SegmentWorkResult,
} from "../engine/index/segment-work.ts";
import { threadEnvironment } from "../process-environment.ts";
import { THREAD_KINDS, type ThreadKind } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";
import type { StartWorker, ThreadDeps } from "./thread.ts";

export interface MergeThread extends SegmentWork {
  /** Ends the thread at once; pending requests fail. May be called twice. */
  close(): Promise<void>;
}

/** Requests that the thread does not answer fail with a ThreadError; the next one starts another thread. */
export function createMergeThread(
  deps: ThreadDeps,
  {
    kind = THREAD_KINDS.merge,
    start = startMergeWorker,
  }: { readonly kind?: ThreadKind; readonly start?: StartWorker } = {},
): MergeThread {
  const pool = createThreadPool<SegmentWorkRequest, SegmentWorkResult>(
    kind,
    { startCrew: () => [start] },
    deps,
  );
  const ask = (request: SegmentWorkRequest) => {
    const { sent, buffers } = ownBuffers(request);
    return pool.ask(sent, { transfer: buffers });
  };
  return { ...createSegmentWork(ask), close: pool.close };
}

function startMergeWorker(): Worker {
  return new Worker(new URL("./merge-thread.ts", import.meta.url), {
    env: threadEnvironment(),
    resourceLimits: THREAD_KINDS.merge.heap,
  });
}

/** The request with its bytes in buffers of their own, which move to the thread. */
function ownBuffers(request: SegmentWorkRequest): {
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

/** A part of a larger buffer (PostgreSQL's client reads into one) is copied: moving it would move all of the buffer. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAll = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isAll ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes); // Just checked.
}
