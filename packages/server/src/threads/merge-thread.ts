/** A thread that merges and builds segments: pure computing, which would hold up whichever thread did it beside other work. */
import { parentPort } from "node:worker_threads";
import {
  doSegmentWork,
  type SegmentWorkRequest,
  type SegmentWorkResult,
} from "../engine/index/segment-work.ts";
import { lowerThreadPriority } from "./priority.ts";
import { serveRpc } from "./rpc.ts";

if (parentPort !== null) {
  lowerThreadPriority();
  serveRpc<SegmentWorkRequest, SegmentWorkResult>(
    parentPort,
    async (request) => doSegmentWork(request),
    (result) => (result.kind === "made" && result.bytes !== null ? [ownBuffer(result.bytes)] : []),
  );
}

/** A segment is written into a buffer of its own. */
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer as ArrayBuffer; // Not shared: nobody else has seen it.
}
