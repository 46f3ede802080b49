/** Vectors of questions that were asked lately, so that each is paid for once. */
import { type EmbeddingSpace, isSameSpace } from "../../../domain/embedding-space.ts";
import { missingEmbedder, type RemoteEmbedder } from "../../../ports/embedder.ts";

export interface QuestionToEmbed {
  readonly accountId: string;
  readonly projectId: string;
  readonly query: string;
}

const CACHE_BYTES = 8 * 1024 * 1024;
const BYTES_PER_COMPONENT = 4;
/** A longer question is embedded each time it is asked: the texts must not outweigh the vectors. */
const MAX_KEPT_LENGTH = 2_000;
/** Within the time that a question has as a whole. */
const DEADLINE_MS = 15_000;

/**
 * Embeds questions in the space of `embedder`. Equal questions of an account at the same time are
 * one call; the latest are remembered, 8 MiB of them. @throws EmbeddingError
 */
export function createQuestionVectors(
  embedder: RemoteEmbedder,
): (question: QuestionToEmbed, space: EmbeddingSpace) => Promise<Float32Array> {
  const kept = new Map<string, Promise<Float32Array>>();
  const most = Math.floor(CACHE_BYTES / (BYTES_PER_COMPONENT * embedder.dimensions));

  return (question, space) => {
    if (!isSameSpace(space, embedder)) return Promise.reject(missingEmbedder(space));
    if (question.query.length > MAX_KEPT_LENGTH) return embedOne(question, embedder);
    const key = `${question.accountId} ${question.query}`;
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key); // To stand behind the others, which go first.
      kept.set(key, known);
      return known;
    }
    const made = embedOne(question, embedder);
    kept.set(key, made);
    made.catch(() => kept.delete(key)); // Whoever asked hears of it; the next one tries again.
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return made;
  };
}

async function embedOne(
  { accountId, projectId, query }: QuestionToEmbed,
  embedder: RemoteEmbedder,
): Promise<Float32Array> {
  const meter = { accountId, projectId };
  const [vector] = await embedder.embed([query], { meter, deadlineMs: DEADLINE_MS });
  if (vector === undefined) throw new Error("No vector came for one text."); // The embedder counts them.
  return vector;
}
