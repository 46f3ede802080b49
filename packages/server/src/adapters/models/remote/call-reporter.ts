import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import { guardListener, type Log } from "../../../ports/log.ts";
import type { Clock } from "../language/clock.ts";

/** Reports the end of calls. `startedAt`: epoch milliseconds. */
export interface CallReporter {
  answered(startedAt: number, tokens: number): void;
  failed(startedAt: number, outcome: "refused" | "unavailable", error: string): void;
  ended(startedAt: number, outcome: "kept_out" | "aborted"): void;
}

export function createCallReporter(
  called: Pick<EmbeddingActivity, "kind" | "provider" | "model">,
  deps: {
    readonly log: Log;
    readonly clock: Clock;
    readonly isBreakerOpen: () => boolean;
    readonly onActivity: ((activity: EmbeddingActivity) => void) | undefined;
  },
): CallReporter {
  const { kind, provider, model } = called;
  const tell = guardListener(deps.onActivity, deps.log);
  const report = (
    startedAt: number,
    { tokens = 0, ...ended }: Pick<EmbeddingActivity, "outcome" | "error"> & { readonly tokens?: number },
  ) => {
    const at = deps.clock.now();
    const seconds = (at - startedAt) / 1_000;
    const isBreakerOpen = deps.isBreakerOpen();
    tell({ kind, at, provider, model, seconds, ...ended, tokens, isBreakerOpen });
  };
  return {
    answered: (startedAt, tokens) => report(startedAt, { outcome: "answered", error: null, tokens }),
    failed: (startedAt, outcome, error) => report(startedAt, { outcome, error }),
    ended: (startedAt, outcome) => report(startedAt, { outcome, error: null }),
  };
}
