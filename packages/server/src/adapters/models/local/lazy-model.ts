/** A local model that is opened at its first use, and again after a fault or after it was closed because nobody used it. */
import { isPaused } from "../../../domain/pause.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { ModelFault } from "./model-fault.ts";

export interface LazyModel<Opened> {
  /** Opens the model if necessary. @throws what `toError` makes of a ModelFault */
  use<T>(work: (opened: Opened) => Promise<T>): Promise<T>;
}

/** Until a model that could not be opened is opened again. Its files are read each time. */
const PAUSE_MS = 15_000;
/** A model that takes longer to open stays open: the question that opens it again would fail. */
const MAX_REOPENING_MS = 5_000;

/** Other weights, prefixes or lengths make another model, so they have another name. */
export function nameOfLocal({ id, fingerprint }: Pick<IdentifiedModel, "id" | "fingerprint">): string {
  return `local/${id}@${fingerprint}`;
}

/** The id in such a name, whatever its fingerprint; null for the name of another kind of model. */
export function idOfLocal(name: string): string | null {
  return /^local\/(.+)@[^@]+$/.exec(name)?.[1] ?? null;
}

/** `onActivity` is called when the model begins to work or to fail, not for each text. */
export function createLazyModel<Opened extends { close(): Promise<void> }>(
  model: IdentifiedModel,
  options: {
    readonly open: () => Promise<Opened>;
    readonly onActivity: (activity: EmbeddingActivity) => void;
    /** For the caller; the message names the file and what to do. */
    readonly toError: (message: string, cause: ModelFault) => Error;
    readonly now: () => number;
    /** Unused for this time, the model is closed; null or absent: it stays open. */
    readonly idleMs?: number | null;
  },
): LazyModel<Opened> {
  const { open, onActivity, toError, now, idleMs = null } = options;
  const name = nameOfLocal(model);
  let opening: Promise<Opened> | null = null;
  let pausedUntil: number | null = null;
  let last: EmbeddingActivity["outcome"] | null = null;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;
  let staysOpen = idleMs === null;

  function report(outcome: "answered" | "unavailable", error: string | null): void {
    if (outcome === last) return;
    last = outcome;
    const call = { seconds: 0, tokens: 0, isBreakerOpen: false };
    onActivity({ kind: "embedding", at: now(), provider: "local", model: name, outcome, error, ...call });
  }

  function opened(): Promise<Opened> {
    const isFailing = pausedUntil === null || isPaused(now(), { until: pausedUntil, lengthMs: PAUSE_MS });
    if (opening !== null && isFailing) return opening;
    pausedUntil = null;
    const began = now();
    opening = open();
    opening.then(
      () => {
        staysOpen ||= now() - began > MAX_REOPENING_MS;
      },
      () => {
        pausedUntil = now() + PAUSE_MS;
      },
    );
    return opening;
  }

  function closeWhenIdle(): void {
    if (staysOpen || idleMs === null || pausedUntil !== null) return;
    idle = setTimeout(() => {
      const closing = opening;
      opening = null;
      // A model that cannot be closed is lost with its memory; the next use opens another.
      closing?.then((unused) => unused.close()).catch(() => undefined);
    }, idleMs);
    // It does not keep a thread that ends.
    idle.unref();
  }

  return {
    async use(work) {
      users++;
      clearTimeout(idle);
      try {
        const result = await work(await opened());
        report("answered", null);
        return result;
      } catch (cause) {
        if (!(cause instanceof ModelFault)) throw cause;
        const message = `The model "${name}" cannot be used: ${cause.message}`;
        report("unavailable", message);
        throw toError(message, cause);
      } finally {
        users--;
        if (users === 0) closeWhenIdle();
      }
    },
  };
}
