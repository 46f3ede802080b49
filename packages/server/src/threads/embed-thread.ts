/** A thread that embeds, one text per call so that a vector depends on its text alone, and reads chunks for the graph. */
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { IdentifiedModel } from "../adapters/models/local/identify-model.ts";
import { createLazyEmbedder } from "../adapters/models/local/lazy-embedder.ts";
import { createLazyReader } from "../adapters/models/local/lazy-reader.ts";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import { createLazyFactModel } from "../adapters/models/minilm-facts.ts";
import type { AroundRun } from "../adapters/models/runtime/onnx-session.ts";
import type { LogLevel } from "../config.ts";
import { createPassageReader } from "../engine/ingest/extract/read-passage.ts";
import { createTagger, type TagSentence } from "../engine/ingest/extract/statements/create-tagger.ts";
import { createLog } from "../log.ts";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { EntityReader, ReaderLabels, ReaderReading } from "../ports/entity-reader.ts";
import type { PassageReading, PassageRequest } from "../ports/passage-reader.ts";
import { sendEvent } from "../rpc/rpc.ts";
import { createNativeSection } from "./native-gate.ts";
import { serveThread } from "./serve-thread.ts";
import { createSharedTime } from "./shared-time.ts";

export interface EmbedThreadData {
  readonly modelDir: string;
  readonly logLevel: LogLevel;
  readonly localModels: readonly IdentifiedModel[];
  /** Of entities and relations; null = none. */
  readonly reader: IdentifiedModel | null;
  readonly gates: readonly SharedArrayBuffer[];
}

/** A text to embed with the local model of a space. */
export interface LocalText {
  readonly model: string;
  readonly localText: string;
}

/** A text to read with the local reader. */
export interface LabelledText {
  readonly labelledText: string;
  readonly labels: ReaderLabels;
}

/** A text to embed with the bundled model or with another one, or to read with labels, or a chunk to read. */
export type EmbedThreadWork = string | LocalText | LabelledText | PassageRequest;
export interface EmbedThreadRequest {
  /** "" for the service itself. */
  readonly accountId: string;
  readonly work: EmbedThreadWork;
}
export type EmbedThreadReply = Float32Array | PassageReading | ReaderReading;

/** Opened on first use: it takes time and memory, and only projects with a graph need it. */
function lazyTagger(): TagSentence {
  let tagger: TagSentence | null = null;
  return (text, sentence) => {
    tagger ??= createTagger();
    return tagger(text, sentence);
  };
}

await serveThread<EmbedThreadRequest, EmbedThreadReply>("embed", async () => {
  const { modelDir, logLevel, localModels, reader: readerModel, gates } = workerData as EmbedThreadData; // Set by the pool that starts this file.
  const native = createNativeSection(gates);
  // Work of one account one after the other: requests that overlap would only keep each other's memory alive for longer.
  const time = createSharedTime(() => performance.now());
  const aroundRun: AroundRun = (call) => time.call(() => native.run(call));
  const { embed, encode } = await openMiniLmEmbedder(modelDir, aroundRun);
  native.leave();
  const passages = createPassageReader({
    ...{ embed, encode, tag: lazyTagger() },
    facts: createLazyFactModel(modelDir, aroundRun),
    turn: () => time.call(() => setImmediate()),
  });
  const onActivity = (activity: EmbeddingActivity) => {
    if (parentPort !== null) sendEvent(parentPort, activity);
  };
  const locals = localModels.map((model) =>
    createLazyEmbedder(model, { kind: "passage", aroundRun, onActivity }),
  );

  const reader: EntityReader | null =
    readerModel === null ? null : createLazyReader(readerModel, { aroundRun, onActivity });

  async function readLabelled({ labelledText, labels }: LabelledText): Promise<ReaderReading> {
    if (reader === null) throw new Error("The thread has no local reader.");
    return reader.read(labelledText, labels);
  }

  async function embedLocally({ model, localText }: LocalText): Promise<Float32Array> {
    const local = locals.find((each) => each.model === model);
    if (local === undefined) throw new Error(`The thread does not have the model ${model}.`);
    return local.embed(localText);
  }

  return {
    answer({ accountId, work }) {
      return time.run<EmbedThreadReply>(accountId, () => {
        if (typeof work === "string") return embed(work);
        if ("labelledText" in work) return readLabelled(work);
        return "localText" in work ? embedLocally(work) : passages.read(work);
      });
    },
    // The vectors have buffers of their own, which are not shared.
    transfer(reply) {
      if ("relations" in reply) return [];
      const vectors = "sentenceVectors" in reply ? [reply.vector, reply.sentenceVectors] : [reply];
      return vectors.map(({ buffer }) => buffer as ArrayBuffer);
    },
    onPriorityKept(reason) {
      createLog(logLevel, { thread: "embed" }).debug("thread_priority_not_lowered", { reason });
    },
  };
});
