export interface Deadline {
  readonly signal: AbortSignal;
  /** Lets go of timer and source: either may outlive what was waited for by far. */
  end(): void;
}

/** A signal that is aborted with its source and that one's reason, or with a TimeoutError after so long; null = no limit. */
export function startDeadline(source: AbortSignal | undefined, ms: number | null): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(source?.reason);
  const expire = () => controller.abort(new DOMException("The time is over.", "TimeoutError"));
  const timer = ms === null ? null : setTimeout(expire, ms);
  source?.addEventListener("abort", follow, { once: true });
  if (source?.aborted === true) follow();
  return {
    signal: controller.signal,
    end() {
      if (timer !== null) clearTimeout(timer);
      source?.removeEventListener("abort", follow);
    },
  };
}

/** What a deadline's signal is aborted with when its time is over. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
