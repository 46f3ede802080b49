import { EmbeddingError } from "../../../ports/embedder.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { Clock } from "../language/clock.ts";
import { type EmbeddingSettings, embeddingModelName } from "./settings.ts";

/** Reports the end of calls. `startedAt`: epoch milliseconds. */
export interface CallReporter {
  answered(startedAt: number, tokens: number): void;
  /** Reports an EmbeddingError. Ignores other errors, which are not failures of the provider. */
  failed(startedAt: number, error: unknown): void;
  ended(startedAt: number, outcome: "kept_out" | "aborted"): void;
}

export function createCallReporter(
  settings: EmbeddingSettings,
  deps: {
    readonly clock: Clock;
    readonly isBreakerOpen: () => boolean;
    readonly onActivity: ((activity: EmbeddingActivity) => void) | undefined;
  },
): CallReporter {
  const model = embeddingModelName(settings);
  const report = (
    startedAt: number,
    { tokens = 0, ...ended }: Pick<EmbeddingActivity, "outcome" | "error"> & { readonly tokens?: number },
  ) => {
    const at = deps.clock.now();
    deps.onActivity?.({
      kind: "embedding",
      at,
      provider: settings.provider,
      model,
      seconds: (at - startedAt) / 1_000,
      ...ended,
      tokens,
      isBreakerOpen: deps.isBreakerOpen(),
    });
  };
  return {
    answered: (startedAt, tokens) => report(startedAt, { outcome: "answered", error: null, tokens }),
    failed(startedAt, error) {
      if (!(error instanceof EmbeddingError)) return;
      const outcome = error.failure === "refused" ? "refused" : "unavailable";
      report(startedAt, { outcome, error: error.message });
    },
    ended: (startedAt, outcome) => report(startedAt, { outcome, error: null }),
  };
}
