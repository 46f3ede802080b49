/** Reports the use of the model to the log, and to readiness and metrics by `onActivity`. */
import { ModelError, type ModelRequest, type ModelTask } from "../../../ports/language-model.ts";
import { guardListener, type Log } from "../../../ports/log.ts";
import type { ModelActivity, ModelLoad } from "../../../ports/model-activity.ts";
import { CallFailedError, type CallResult } from "./caller.ts";
import type { Clock } from "./clock.ts";
import { safeDetail } from "./safe-detail.ts";
import type { LanguageModelSettings } from "./settings.ts";

export interface CallReporter {
  /** `result` is null for a cached reply. `startedAt`: epoch milliseconds. */
  answered(request: ModelRequest, result: CallResult | null, startedAt: number): void;
  failed(request: ModelRequest, error: unknown, startedAt: number): void;
}

export function createCallReporter(deps: {
  readonly settings: Pick<LanguageModelSettings, "apiKey">;
  readonly nameOf: (task: ModelTask) => string;
  readonly load: () => ModelLoad;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly onActivity?: (activity: ModelActivity) => void;
}): CallReporter {
  const { log, nameOf } = deps;
  const tell = guardListener(deps.onActivity, log);

  function report(
    request: ModelRequest,
    startedAt: number,
    fields: Pick<ModelActivity, "outcome"> & Partial<Omit<ModelActivity, "at" | "model" | "load">>,
  ): void {
    const at = deps.clock.now();
    tell({
      at,
      seconds: (at - startedAt) / 1_000,
      jobId: request.meter.jobId,
      model: nameOf(request.task),
      load: deps.load(),
      error: null,
      inputTokens: 0,
      outputTokens: 0,
      retries: 0,
      ...fields,
    });
  }

  return {
    answered(request, result, startedAt) {
      if (result === null) return report(request, startedAt, { outcome: "cached" });
      const { inputTokens, outputTokens, retries } = result;
      report(request, startedAt, { outcome: "answered", inputTokens, outputTokens, retries });
    },
    failed(request, error, startedAt) {
      const known = error instanceof CallFailedError ? error.error : error;
      if (!(known instanceof ModelError)) return report(request, startedAt, { outcome: "aborted" });
      const { failure, message } = known;
      if (!(error instanceof CallFailedError))
        return report(request, startedAt, { outcome: failure, error: message });
      const { retries, detail, hasBegun } = error;
      report(request, startedAt, { outcome: hasBegun ? failure : "kept_out", error: message, retries });
      // A call that the breaker rejected is not logged: the failures that opened the breaker are.
      if (!hasBegun) return;
      const { task, meter } = request;
      const fields = { model: nameOf(task), task, failure, message, retries, jobId: meter.jobId };
      const { apiKey } = deps.settings;
      log.warn("language_model_failed", { ...fields, detail: safeDetail(detail, request, apiKey) });
    },
  };
}
