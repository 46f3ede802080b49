import { requireTime, sleep } from "./time-limit.ts";
import type { CallOptions } from "./transport.ts";
import type { Reembedding, Reread } from "./wire.ts";

/** Work on a whole project that runs in the background. */
type BackgroundWork = Reembedding | Reread;

export interface EndWaitOptions<State extends BackgroundWork> {
  readonly signal?: AbortSignal | undefined;
  /** Interval between polls. Default: 1,000 */
  readonly pollMs?: number | undefined;
  /** Called with each state of the work. */
  readonly onProgress?: ((state: State) => void) | undefined;
}

export type ReembeddingWaitOptions = EndWaitOptions<Reembedding>;
export type RereadWaitOptions = EndWaitOptions<Reread>;

const POLL_MS = 1_000;

/** Resolves to the work when it is completed, failed or cancelled. Has no timeout; use `signal`. */
export async function waitUntilEnded<State extends BackgroundWork>(
  get: (options: CallOptions) => Promise<State>,
  { signal, pollMs = POLL_MS, onProgress }: EndWaitOptions<State> = {},
): Promise<State> {
  requireTime("pollMs", pollMs);
  for (;;) {
    const state = await get({ signal });
    onProgress?.(state);
    if (state.status !== "pending" && state.status !== "running") return state;
    await sleep(pollMs, signal);
  }
}
