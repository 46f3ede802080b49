import { sleep } from "./retry.ts";
import type { CallOptions } from "./transport.ts";
import type { Reembedding } from "./wire.ts";

export interface ReembeddingWaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Between two looks. Default: 1,000 */
  readonly pollMs?: number | undefined;
  /** Told of each state that is seen. */
  readonly onProgress?: ((state: Reembedding) => void) | undefined;
}

const POLL_MS = 1_000;

/** The move once it has ended, well or not; one that goes on is waited for as long as it takes. */
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
