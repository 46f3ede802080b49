import type { EmbeddingSpace } from "../../../domain/embedding-space.ts";
import { EmbeddingError, type QuestionEmbedder } from "../../../ports/embedder.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { AroundRun } from "../runtime/onnx-session.ts";
import type { TextKind } from "./embedder.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { createLazyModel, nameOfLocal } from "./lazy-model.ts";

export interface LazyEmbedder extends QuestionEmbedder {
  /** Loads the model now. @throws EmbeddingError */
  open(): Promise<void>;
}

/** The space that projects of the model store. */
export function spaceOfLocal(model: IdentifiedModel): EmbeddingSpace {
  return { model: nameOfLocal(model), dimensions: model.dimensions };
}

export function createLazyEmbedder(
  model: IdentifiedModel,
  options: {
    readonly kind: TextKind;
    readonly aroundRun?: AroundRun;
    readonly onActivity: (activity: EmbeddingActivity) => void;
    readonly now?: () => number;
    readonly idleMs?: number | null;
  },
): LazyEmbedder {
  const { onActivity, now = Date.now, idleMs = null } = options;
  const lazy = createLazyModel(model, {
    onActivity,
    now,
    idleMs,
    // A thread without a local model does not load the code for it.
    open: async () => (await import("./embedder.ts")).openLocalEmbedder(model, options),
    toError: (message, cause) => new EmbeddingError("unavailable", message, { cause }),
  });
  return {
    ...spaceOfLocal(model),
    open: () => lazy.use(async () => undefined),
    embed: (text) => lazy.use((embedder) => embedder.embed(text)),
  };
}
