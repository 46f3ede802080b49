import { EmbeddingError } from "../../../ports/embedder.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { Clock } from "../language/clock.ts";
import { type EmbeddingSettings, embeddingModelName } from "./settings.ts";

/** Tells how a call ended that began at a time. */
export interface CallTelling {
  answered(began: number, tokens: number): void;
  /** By what it threw; nothing of what is no failure of the provider. */
  failed(began: number, error: unknown): void;
  ended(began: number, outcome: "kept_out" | "aborted"): void;
}

export function createTelling(
  settings: EmbeddingSettings,
  deps: {
    readonly clock: Clock;
    readonly isBreakerOpen: () => boolean;
    readonly onActivity: ((activity: EmbeddingActivity) => void) | undefined;
  },
): CallTelling {
  const model = embeddingModelName(settings);
  const tell = (
    began: number,
    { tokens = 0, ...ended }: Pick<EmbeddingActivity, "outcome" | "error"> & { readonly tokens?: number },
  ) => {
    const at = deps.clock.now();
    deps.onActivity?.({
      ...{ kind: "embedding", at, provider: settings.provider, model, seconds: (at - began) / 1_000 },
      ...{ ...ended, tokens, isBreakerOpen: deps.isBreakerOpen() },
    });
  };
  return {
    answered: (began, tokens) => tell(began, { outcome: "answered", error: null, tokens }),
    failed(began, error) {
      if (!(error instanceof EmbeddingError)) return;
      const outcome = error.failure === "refused" ? "refused" : "unavailable";
      tell(began, { outcome, error: error.message });
    },
    ended: (began, outcome) => tell(began, { outcome, error: null }),
  };
}
