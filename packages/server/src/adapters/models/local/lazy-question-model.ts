/** A lazy model that works for questions: a fault of it is an outage that the question's answer tells. */
import { errors } from "../../../domain/errors.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { AroundRun } from "../runtime/onnx-session.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { createLazyModel, type LazyModel, nameOfLocal } from "./lazy-model.ts";

export interface QuestionModelOptions {
  /** Of one question. */
  readonly limitMs: number;
  readonly aroundRun: AroundRun;
  readonly onActivity: (activity: EmbeddingActivity) => void;
  readonly idleMs?: number | null;
}

export interface LazyQuestionModel<Opened> extends LazyModel<Opened> {
  readonly model: string;
  readonly limitMs: number;
  /** Loads the model now. @throws ServiceError */
  open(): Promise<void>;
}

const RETRY_SECONDS = 15;

export function createLazyQuestionModel<Opened extends { close(): Promise<void> }>(
  model: IdentifiedModel,
  { limitMs, onActivity, idleMs = null }: QuestionModelOptions,
  open: () => Promise<Opened>,
): LazyQuestionModel<Opened> {
  const { use } = createLazyModel(model, {
    onActivity,
    now: Date.now,
    idleMs,
    open,
    toError: (message, cause) => errors.unavailable(message, { retryAfterSeconds: RETRY_SECONDS, cause }),
  });
  return { model: nameOfLocal(model), limitMs, use, open: () => use(async () => undefined) };
}
