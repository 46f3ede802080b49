/** Tells those who watch: the log, readiness and the metrics. */
import { ModelError, type ModelRequest, type ModelTask } from "../../../ports/language-model.ts";
import type { Log } from "../../../ports/log.ts";
import type { ModelActivity, ModelLoad } from "../../../ports/model-activity.ts";
import { type Called, CallFailedError } from "./caller.ts";
import type { Clock } from "./clock.ts";
import type { LanguageModelSettings } from "./settings.ts";

/** Characters that a provider's own words and a request do not have in common by chance. */
const QUOTE_LENGTH = 24;

export interface Telling {
  /** `called` is null for a kept reply. */
  answered(request: ModelRequest, called: Called | null): void;
  failed(request: ModelRequest, error: unknown): void;
}

export function createTelling(deps: {
  readonly settings: Pick<LanguageModelSettings, "apiKey">;
  readonly nameOf: (task: ModelTask) => string;
  readonly load: () => ModelLoad;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly onActivity?: (activity: ModelActivity) => void;
}): Telling {
  const { log, nameOf } = deps;

  function tell(
    request: ModelRequest,
    told: Pick<ModelActivity, "outcome"> & Partial<Omit<ModelActivity, "at" | "model" | "load">>,
  ): void {
    deps.onActivity?.({
      at: deps.clock.now(),
      model: nameOf(request.task),
      load: deps.load(),
      ...{ error: null, inputTokens: 0, outputTokens: 0, retries: 0 },
      ...told,
    });
  }

  return {
    answered(request, called) {
      if (called === null) return tell(request, { outcome: "cached" });
      const { inputTokens, outputTokens, retries } = called;
      tell(request, { outcome: "answered", inputTokens, outputTokens, retries });
    },
    failed(request, error) {
      const known = error instanceof CallFailedError ? error.error : error;
      if (!(known instanceof ModelError)) return tell(request, { outcome: "aborted" });
      const { failure, message } = known;
      if (!(error instanceof CallFailedError)) return tell(request, { outcome: failure, error: message });
      const { retries, detail, hasBegun } = error;
      tell(request, { outcome: hasBegun ? failure : "kept_out", error: message, retries });
      // What opened the breaker has been logged for all that it keeps out.
      if (!hasBegun) return;
      const { task, meter } = request;
      const fields = { model: nameOf(task), task, failure, message, retries, jobId: meter.jobId };
      const shown = quotes(detail, request) ? "[quotes the request]" : detail;
      log.warn("language_model_failed", { ...fields, detail: withoutKey(shown, deps.settings.apiKey) });
    },
  };
}

/** Some providers quote what they do not like: texts of documents and questions, which are not for the log. */
function quotes(detail: string, { prompt, system }: ModelRequest): boolean {
  for (let at = 0; at + QUOTE_LENGTH <= detail.length; at++) {
    const part = detail.slice(at, at + QUOTE_LENGTH);
    if (prompt.includes(part) || system.includes(part)) return true;
  }
  return false;
}

/** Some providers quote the key that they refuse. */
function withoutKey(detail: string, apiKey: string | null): string {
  return apiKey === null ? detail : detail.replaceAll(apiKey, "[key]");
}
