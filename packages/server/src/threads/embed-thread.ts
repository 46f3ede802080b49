/** A thread that embeds, one text per call so that a vector depends on its text alone, and reads chunks for the graph. */
import { workerData } from "node:worker_threads";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import type { LogLevel } from "../config.ts";
import { createPassageReader } from "../engine/ingest/extract/read-passage.ts";
import { createTagger, type TagSentence } from "../engine/ingest/extract/statements/create-tagger.ts";
import { createLog } from "../log.ts";
import type { PassageReading, PassageRequest } from "../ports/passage-reader.ts";
import { createNativeSection } from "./native-gate.ts";
import { serveThread } from "./serve-thread.ts";

export interface EmbedThreadData {
  readonly modelDir: string;
  readonly logLevel: LogLevel;
  readonly gates: readonly SharedArrayBuffer[];
}

/** A text to embed, or a chunk to read. */
export type EmbedThreadRequest = string | PassageRequest;
export type EmbedThreadReply = Float32Array | PassageReading;

/** Opened on first use: it takes time and memory, and only projects with a graph need it. */
function lazyTagger(): TagSentence {
  let tagger: TagSentence | null = null;
  return (text, sentence) => {
    tagger ??= createTagger();
    return tagger(text, sentence);
  };
}

await serveThread<EmbedThreadRequest, EmbedThreadReply>("embed", async (priorityFault) => {
  const { modelDir, logLevel, gates } = workerData as EmbedThreadData; // Set by the pool that starts this file.
  if (priorityFault !== null) {
    createLog(logLevel, { thread: "embed" }).debug("thread_priority_not_lowered", { reason: priorityFault });
  }
  const native = createNativeSection(gates);
  const { embed, encode } = await openMiniLmEmbedder(modelDir, native.run);
  native.leave();
  const passages = createPassageReader({ embed, encode, tag: lazyTagger() });
  return {
    answer: (request) => (typeof request === "string" ? embed(request) : passages.read(request)),
    // The vectors have buffers of their own, which are not shared.
    transfer: (reply) => [("sentenceVectors" in reply ? reply.sentenceVectors : reply).buffer as ArrayBuffer],
  };
});
