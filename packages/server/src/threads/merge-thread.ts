/** A thread that merges and builds segments: computing that would hold the event loop of the ingest thread for seconds. */
import {
  doSegmentWork,
  type SegmentWorkRequest,
  type SegmentWorkResult,
} from "../engine/index/segment-work.ts";
import { serveThread } from "./serve-thread.ts";

await serveThread<SegmentWorkRequest, SegmentWorkResult>("merge", () => ({
  answer: doSegmentWork,
  transfer: (result) => (result.kind === "made" && result.bytes !== null ? [bufferOf(result.bytes)] : []),
}));

/** A segment is written into a buffer of its own. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer as ArrayBuffer; // Not shared: it was made in this thread.
}
