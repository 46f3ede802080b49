export interface Deadline {
  readonly signal: AbortSignal;
  /** Releases the timer and the listener on the source, which may live much longer than the work. */
  end(): void;
}

/**
 * A signal that is aborted when its source is, with the same reason, or after `ms` with a TimeoutError. null
 * = no time limit.
 */
export function startDeadline(source: AbortSignal | undefined, ms: number | null): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(source?.reason);
  const expire = () => controller.abort(new DOMException("The time limit was exceeded.", "TimeoutError"));
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

/** Whether an error is the abort reason of an expired deadline. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
