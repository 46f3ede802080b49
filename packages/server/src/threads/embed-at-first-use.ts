/** Opens the bundled model at its first use. */
import { MINILM_DIMENSIONS, MINILM_MODEL } from "../adapters/models/minilm-embedder.ts";
import type { Embedder, QuestionEmbedder } from "../ports/embedder.ts";

/** A thread that has answered no question is smaller by 40 MB. `embed` throws what `open` throws, and opens it again the next time. */
export function embedAtFirstUse(open: () => Promise<Pick<Embedder, "embed">>): QuestionEmbedder {
  let opening: Promise<Pick<Embedder, "embed">> | null = null;
  const opened = () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    model: MINILM_MODEL,
    dimensions: MINILM_DIMENSIONS,
    embed: async (text) => (await opened()).embed(text),
  };
}
