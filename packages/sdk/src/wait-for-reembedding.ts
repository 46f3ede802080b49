import { sleep } from "./retry.ts";
import type { CallOptions } from "./transport.ts";
import type { Reembedding } from "./wire.ts";

export interface ReembeddingWaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Interval between polls. Default: 1,000 */
  readonly pollMs?: number | undefined;
  /** Called with each state of the move. */
  readonly onProgress?: ((state: Reembedding) => void) | undefined;
}

const POLL_MS = 1_000;

/** Resolves to the move when it is completed, failed or cancelled. Has no timeout; use `signal`. */
export async function waitForReembedding(
  get: (options: CallOptions) => Promise<Reembedding>,
  { signal, pollMs = POLL_MS, onProgress }: ReembeddingWaitOptions = {},
): Promise<Reembedding> {
  for (;;) {
    const state = await get({ signal });
    onProgress?.(state);
    if (state.status !== "pending" && state.status !== "running") return state;
    await sleep(pollMs, signal);
  }
}
