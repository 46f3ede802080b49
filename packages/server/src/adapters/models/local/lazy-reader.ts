import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import { type EntityReader, ReaderUnavailableError } from "../../../ports/entity-reader.ts";
import type { AroundRun } from "../runtime/onnx-session.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { createLazyModel, nameOfLocal } from "./lazy-model.ts";

export function createLazyReader(
  model: IdentifiedModel,
  options: {
    readonly aroundRun: AroundRun;
    readonly onActivity: (activity: EmbeddingActivity) => void;
  },
): EntityReader {
  const { aroundRun, onActivity } = options;
  const lazy = createLazyModel(model, {
    onActivity,
    now: Date.now,
    open: async () => (await import("./gliner/reader.ts")).openLocalReader(model, { aroundRun }),
    toError: (message, cause) => new ReaderUnavailableError(message, cause),
  });
  return {
    model: nameOfLocal(model),
    read: (text, labels) => lazy.use((reader) => reader.read(text, labels)),
  };
}
