/** Moves projects to other embedding spaces, one project at a time and in turns. */
import { jobErrorMessages } from "../domain/errors.ts";
import { DamagedIndexError } from "../domain/index-damage.ts";
import { type ReembedDeps, type ReembedOutcome, reembedProject } from "../engine/ingest/reembed.ts";
import { EmbeddingError } from "../ports/embedder.ts";
import type { Log } from "../ports/log.ts";
import type { ClaimedReembedding } from "../ports/reembed-store.ts";
import type { Store } from "../ports/store.ts";
import { reportDamage } from "./damage.ts";
import { classifyFailure, decideRetry, type JobFailure, MAX_ATTEMPTS } from "./job-failures.ts";
import type { FindLeftWork } from "./processes.ts";

export interface MovingService {
  /**
   * Claims a move and works on it until it is done, its time slice is over, or `stopping()` returns true. False when there was
   * no move to claim.
   */
  moveNext(stopping: () => boolean): Promise<boolean>;
}

const RENEWALS_PER_LEASE = 4;

export interface MovingDeps extends Omit<ReembedDeps, "store" | "onMergeFault"> {
  readonly store: Store;
  /** After this time other moves get their turn. */
  readonly sliceMs: number;
  readonly newLeaseToken: () => string;
  readonly findLeftWork: FindLeftWork;
  /** A damaged segment was found and marked. */
  readonly onDamage: () => void;
  readonly log: Log;
}

interface HeldMove {
  readonly move: ClaimedReembedding;
  readonly leaseToken: string;
  readonly stopping: () => boolean;
  /** True once the lease is lost, as when the move is cancelled. */
  readonly isLost: () => boolean;
}

export function createMovingService(deps: MovingDeps): MovingService {
  const { store, log, findLeftWork } = deps;

  async function onMergeFault(error: unknown): Promise<void> {
    if (!(error instanceof DamagedIndexError)) return log.error("merge_failed", { error });
    await reportDamage(error, { store, log, onReported: deps.onDamage });
  }

  async function work(
    { move, leaseToken, stopping, isLost }: HeldMove,
    onProgress: () => void,
  ): Promise<ReembedOutcome> {
    const sliceEnd = deps.now() + deps.sliceMs;
    return reembedProject(
      {
        move,
        leaseToken,
        shouldYield: () => stopping() || isLost() || deps.now() >= sliceEnd,
        onProgress,
      },
      { ...deps, onMergeFault },
    );
  }

  async function workOrFail(held: HeldMove): Promise<void> {
    const { leaseToken, stopping } = held;
    let { move } = held;
    const { projectId } = move;
    try {
      const outcome = await work(held, () => {
        log.debug("project_moving", { projectId });
        move = { ...move, attempts: 0, progressedAt: deps.now() };
      });
      if (outcome === "switched") log.info("project_moved", { projectId, model: move.to.model });
      if (outcome === "yielded") await store.releaseReembedding({ leaseToken, now: deps.now() });
      if (outcome === "token_limit") await fail(held, jobErrorMessages.tokenLimit);
    } catch (error) {
      // At shutdown the embedder may have been closed before the batch was embedded.
      if (stopping()) return store.releaseReembedding({ leaseToken, now: deps.now() });
      await postponeOrFail({ ...held, move }, error);
    }
  }

  async function postponeOrFail(held: HeldMove, error: unknown): Promise<void> {
    const { projectId, attempts, progressedAt: startedAt } = held.move;
    const now = deps.now();
    const failure = classifyMoveFailure(error, held.move);
    const { pauseMs, countAttempt } = decideRetry(failure, { attempts, startedAt }, now);
    log.warn("project_move_failed", { projectId, attempts: attempts + 1, again: pauseMs !== null, error });
    await fail(held, failure.message, { retryAt: pauseMs === null ? null : now + pauseMs, countAttempt });
  }

  function fail(
    { move: { projectId }, leaseToken }: HeldMove,
    errorMessage: string,
    retry: { retryAt: number | null; countAttempt: boolean } = { retryAt: null, countAttempt: true },
  ): Promise<void> {
    return store.failReembedding({ projectId, leaseToken, now: deps.now(), errorMessage, ...retry });
  }

  return {
    async moveNext(stopping) {
      const leaseToken = deps.newLeaseToken();
      const left = await findLeftWork();
      const now = deps.now();
      const move = await store.claimReembedding({ leaseToken, now, leaseUntil: now + deps.leaseMs, left });
      if (move === null) return false;
      let isLost = false;
      const held = { move, leaseToken, stopping, isLost: () => isLost };
      const { projectId, attempts } = move;
      if (attempts >= MAX_ATTEMPTS) {
        log.error("project_move_given_up", { projectId, attempts });
        await fail(held, jobErrorMessages.workerDied(attempts, "moved this project"));
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

/** Renews the lease for as long as `work` takes. */
async function withHeartbeat(
  leaseToken: string,
  deps: MovingDeps & { readonly onLost: () => void },
  work: () => Promise<void>,
): Promise<void> {
  const heartbeat = setInterval(() => {
    deps.store
      .renewReembedding({ leaseToken, leaseUntil: deps.now() + deps.leaseMs })
      .then((isHeld) => {
        if (!isHeld) deps.onLost();
      })
      // The next renewal comes before the lease expires.
      .catch((error: unknown) => deps.log.warn("lease_renewal_failed", { error }));
  }, deps.leaseMs / RENEWALS_PER_LEASE);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
  }
}

function classifyMoveFailure(error: unknown, { to }: ClaimedReembedding): JobFailure {
  // The error's own message says that the project's model is missing; here it is the model that the project moves to.
  if (error instanceof EmbeddingError && error.failure === "missing")
    return { kind: "permanent", message: jobErrorMessages.moveTargetMissing(to) };
  return classifyFailure(error, "the project's chunks were embedded");
}
