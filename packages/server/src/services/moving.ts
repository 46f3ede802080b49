/** Works on moves of projects to other vector spaces, one at a time and in turns. */
import { jobFailures } from "../domain/errors.ts";
import { DamagedIndexError } from "../domain/index-damage.ts";
import { type ReembedDeps, type ReembedOutcome, reembedProject } from "../engine/ingest/reembed.ts";
import { EmbeddingError } from "../ports/embedder.ts";
import type { Log } from "../ports/log.ts";
import type { ClaimedReembedding } from "../ports/reembed-store.ts";
import type { Store } from "../ports/store.ts";
import { reportDamage } from "./damage.ts";
import { failureText, MAX_ATTEMPTS, nextTry } from "./job-failures.ts";

export interface MovingService {
  /** Claims a move and works on it until it is done, its turn is over, or `stopping()` says so. False when there was none. */
  moveNext(stopping: () => boolean): Promise<boolean>;
}

const RENEWALS_PER_LEASE = 4;

export interface MovingDeps extends Omit<ReembedDeps, "store" | "onMergeFault"> {
  readonly store: Store;
  /** After so long other moves get their turn. */
  readonly sliceMs: number;
  readonly newLeaseToken: () => string;
  /** A damaged segment was found and marked. */
  readonly onDamage: () => void;
  readonly log: Log;
}

interface Held {
  readonly move: ClaimedReembedding;
  readonly leaseToken: string;
  readonly stopping: () => boolean;
  /** The lease is gone, as when the move was cancelled. */
  readonly isLost: () => boolean;
}

export function createMovingService(deps: MovingDeps): MovingService {
  const { store, log } = deps;

  async function onMergeFault(error: unknown): Promise<void> {
    if (!(error instanceof DamagedIndexError)) return log.error("merge_failed", { error });
    await reportDamage(error, { store, log, onReported: deps.onDamage });
  }

  async function work({ move, leaseToken, stopping, isLost }: Held): Promise<ReembedOutcome> {
    const end = deps.now() + deps.sliceMs;
    return reembedProject(
      {
        ...{ move, leaseToken },
        shouldYield: () => stopping() || isLost() || deps.now() >= end,
        onProgress: () => log.debug("project_moving", { projectId: move.projectId }),
      },
      { ...deps, onMergeFault },
    );
  }

  async function workOrFail(held: Held): Promise<void> {
    const { move, leaseToken, stopping } = held;
    const { projectId } = move;
    try {
      const outcome = await work(held);
      if (outcome === "switched") log.info("project_moved", { projectId, model: move.to.model });
      if (outcome === "yielded") await store.releaseReembedding({ leaseToken, now: deps.now() });
      if (outcome === "token_limit") await end(held, jobFailures.tokenLimit);
    } catch (error) {
      // While draining, the embedder may have been closed before the batch was through.
      if (stopping()) return store.releaseReembedding({ leaseToken, now: deps.now() });
      await fail(held, error);
    }
  }

  async function fail({ move, leaseToken }: Held, error: unknown): Promise<void> {
    const { projectId, attempts } = move;
    const since = { attempts, startedAt: move.progressedAt };
    const { pauseMs, countAttempt } = nextTry(since, { error, now: deps.now() });
    log.warn("project_move_failed", { projectId, attempts: attempts + 1, again: pauseMs !== null, error });
    await store.failReembedding({
      ...{ projectId, leaseToken, now: deps.now(), countAttempt },
      errorMessage: textOf(error, move),
      retryAt: pauseMs === null ? null : deps.now() + pauseMs,
    });
  }

  function end({ move, leaseToken }: Held, errorMessage: string): Promise<void> {
    const { projectId } = move;
    const now = deps.now();
    return store.failReembedding({
      ...{ projectId, leaseToken, now, errorMessage, retryAt: null, countAttempt: true },
    });
  }

  return {
    async moveNext(stopping) {
      const leaseToken = deps.newLeaseToken();
      const now = deps.now();
      const move = await store.claimReembedding({ leaseToken, now, leaseUntil: now + deps.leaseMs });
      if (move === null) return false;
      let isLost = false;
      const held = { move, leaseToken, stopping, isLost: () => isLost };
      if (move.attempts >= MAX_ATTEMPTS) {
        log.error("project_move_given_up", { projectId: move.projectId, attempts: move.attempts });
        await end(held, `The worker ended ${move.attempts} times while it moved this project`);
        return true;
      }
      const onLost = () => {
        isLost = true;
      };
      await withHeartbeat(leaseToken, { ...deps, onLost }, () => workOrFail(held));
      return true;
    },
  };
}

/** Works under a lease that is renewed as long as it takes. */
async function withHeartbeat(
  leaseToken: string,
  deps: MovingDeps & { readonly onLost: () => void },
  work: () => Promise<void>,
): Promise<void> {
  const heartbeat = setInterval(() => {
    // One that fails is one of several.
    deps.store
      .renewReembedding({ leaseToken, leaseUntil: deps.now() + deps.leaseMs })
      .then((isHeld) => {
        if (!isHeld) deps.onLost();
      })
      .catch((error: unknown) => deps.log.warn("lease_renewal_failed", { error }));
  }, deps.leaseMs / RENEWALS_PER_LEASE);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
  }
}

/** For whoever sees the project; a model that is not there is not the one that the project has. */
function textOf(error: unknown, { to }: ClaimedReembedding): string {
  if (error instanceof EmbeddingError && error.failure === "missing") {
    return `The embedding model "${to.model}" with ${to.dimensions} dimensions is not configured any more. The project stays with the one that it has.`;
  }
  return failureText(error, "the project's chunks were embedded");
}
