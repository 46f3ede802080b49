/** Combines texts of one project that are embedded at about the same time into one call. */
import { setImmediate } from "node:timers/promises";
import type { Embedder, EmbeddingMeter, RemoteEmbedder } from "../../../ports/embedder.ts";
import { MAX_TEXTS_PER_CALL } from "./create-remote-embedder.ts";

/** About 32,000 tokens, the limit of some providers for one request. */
const MAX_CHARACTERS_PER_CALL = 100_000;

interface QueuedText {
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

/** The queue needs no limit of its own: each caller waits for its batch of chunks before it adds more. */
export function createBatchingEmbedder(
  remote: RemoteEmbedder,
  options: {
    readonly meter: EmbeddingMeter;
    readonly signal: AbortSignal;
    readonly countTokens: (text: string) => number;
  },
): Embedder {
  const { meter, signal, countTokens } = options;
  const queue: QueuedText[] = [];
  let isCollecting = false;

  async function collect(): Promise<void> {
    await setImmediate();
    isCollecting = false;
    while (queue.length > 0) void send(takeBatch(queue));
  }

  async function send(batch: readonly QueuedText[]): Promise<void> {
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await remote.embed(texts, { meter, signal, deadlineMs: null });
      // RemoteEmbedder returns one vector per text.
      for (const [at, { resolve }] of batch.entries()) resolve(vectors[at]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    model: remote.model,
    dimensions: remote.dimensions,
    countTokens,
    embed: (text) =>
      new Promise((resolve, reject) => {
        queue.push({ text, resolve, reject });
        if (isCollecting) return;
        isCollecting = true;
        void collect();
      }),
  };
}

/** Takes at least one text. */
function takeBatch(queue: QueuedText[]): readonly QueuedText[] {
  let characters = 0;
  let count = 0;
  for (const { text } of queue) {
    characters += text.length;
    if (count > 0 && (count === MAX_TEXTS_PER_CALL || characters > MAX_CHARACTERS_PER_CALL)) break;
    count += 1;
  }
  return queue.splice(0, count);
}
