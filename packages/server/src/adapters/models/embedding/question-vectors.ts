/** A cache of the vectors of recent questions, so that each is embedded and paid for once. */
import { type EmbeddingSpace, isSameSpace } from "../../../domain/embedding-space.ts";
import { missingEmbedder, type RemoteEmbedder } from "../../../ports/embedder.ts";

export interface QuestionToEmbed {
  readonly accountId: string;
  readonly projectId: string;
  readonly query: string;
}

const CACHE_BYTES = 8 * 1024 * 1024;
const BYTES_PER_COMPONENT = 4;
/** Longer questions are not cached, so that texts do not need more memory than vectors. */
const MAX_CACHED_LENGTH = 2_000;
/** Less than the time limit of the whole question. */
const DEADLINE_MS = 15_000;

/**
 * Embeds questions in the space of `embedder`. Concurrent equal questions of an account share one call.
 * Caches 8 MiB of the most recently used vectors.
 * @throws EmbeddingError
 */
export function createQuestionVectors(
  embedder: RemoteEmbedder,
): (question: QuestionToEmbed, space: EmbeddingSpace) => Promise<Float32Array> {
  const cache = new Map<string, Promise<Float32Array>>();
  const maxEntries = Math.floor(CACHE_BYTES / (BYTES_PER_COMPONENT * embedder.dimensions));

  return (question, space) => {
    if (!isSameSpace(space, embedder)) return Promise.reject(missingEmbedder(space));
    if (question.query.length > MAX_CACHED_LENGTH) return embedOne(question, embedder);
    const key = `${question.accountId} ${question.query}`;
    const cached = cache.get(key);
    if (cached !== undefined) {
      cache.delete(key); // Moves the entry to the end: the first one is evicted.
      cache.set(key, cached);
      return cached;
    }
    const vector = embedOne(question, embedder);
    cache.set(key, vector);
    vector.catch(() => cache.delete(key)); // The caller gets the error; the next equal question tries again.
    const [oldest] = cache.keys();
    if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
    return vector;
  };
}

async function embedOne(
  { accountId, projectId, query }: QuestionToEmbed,
  embedder: RemoteEmbedder,
): Promise<Float32Array> {
  const meter = { accountId, projectId };
  const [vector] = await embedder.embed([query], { meter, deadlineMs: DEADLINE_MS });
  // RemoteEmbedder checks the number.
  if (vector === undefined) throw new Error("The embedder returned no vector for a text.");
  return vector;
}
