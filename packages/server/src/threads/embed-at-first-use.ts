/** Opens the bundled model at its first use. */
import { MINILM_DIMENSIONS, MINILM_MODEL } from "../adapters/models/minilm-embedder.ts";
import { errors } from "../domain/errors.ts";
import type { Embedder, QuestionEmbedder } from "../ports/embedder.ts";

const RETRY_SECONDS = 5;

/** A thread that has answered no question is smaller by 40 MB. Where the model cannot be opened, `embed` throws ServiceError `unavailable`, and opens it again the next time. */
export function embedAtFirstUse(open: () => Promise<Pick<Embedder, "embed">>): QuestionEmbedder {
  let opening: Promise<Pick<Embedder, "embed">> | null = null;
  const opened = () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      const isTold = error instanceof Error && error.name === "ModelUnavailableError";
      const reason = isTold ? error.message : "It cannot be read.";
      throw errors.unavailable(`The embedding model cannot be opened: ${reason}`, {
        retryAfterSeconds: RETRY_SECONDS,
        cause: error,
      });
    });
    return opening;
  };
  return {
    model: MINILM_MODEL,
    dimensions: MINILM_DIMENSIONS,
    embed: async (text) => (await opened()).embed(text),
  };
}
