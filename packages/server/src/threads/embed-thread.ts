/** A thread that embeds, one text a call, since a vector depends on its text alone, and reads chunks for the graph. */
import { parentPort, workerData } from "node:worker_threads";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import type { LogLevel } from "../config.ts";
import { createPassageReader } from "../engine/ingest/extract/read-passage.ts";
import { createTagger, type TagSentence } from "../engine/ingest/extract/statements/create-tagger.ts";
import { createLog } from "../log.ts";
import type { PassageReading, PassageRequest } from "../ports/passage-reader.ts";
import { lowerThreadPriority } from "./priority.ts";
import { serveRpc } from "./rpc.ts";

export interface EmbedThreadData {
  readonly modelDir: string;
  readonly logLevel: LogLevel;
}

/** A text to embed, or a chunk to read. */
export type EmbedThreadRequest = string | PassageRequest;
export type EmbedThreadReply = Float32Array | PassageReading;

/** Opening the tagger takes a moment and memory: only where a graph is kept. */
function tagWhenNeeded(): TagSentence {
  let tagger: TagSentence | null = null;
  return (text, sentence) => {
    tagger ??= createTagger();
    return tagger(text, sentence);
  };
}

if (parentPort !== null) {
  const { modelDir, logLevel } = workerData as EmbedThreadData; // Set by the pool that starts this file.
  const reason = lowerThreadPriority();
  if (reason !== null)
    createLog(logLevel, { thread: "embed" }).debug("thread_priority_not_lowered", { reason });
  // Without a model the thread ends, and the pool hears why.
  const { embed, encode } = await openMiniLmEmbedder(modelDir);
  const passages = createPassageReader({ embed, encode, tag: tagWhenNeeded() });
  serveRpc<EmbedThreadRequest, EmbedThreadReply>(
    parentPort,
    (request) => (typeof request === "string" ? embed(request) : passages.read(request)),
    (reply) => [("sentenceVectors" in reply ? reply.sentenceVectors : reply).buffer as ArrayBuffer],
  );
}
