/** Ends work that computes for too long, also inside a regular expression or in code of others. */
import vm from "node:vm";

/** The work was ended where it was. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/** The work was ended where it was, and had the processor for less than half of the time: others had it. */
export class NoTimeError extends Error {
  override readonly name = "NoTimeError";
}

/**
 * What `work` returns. It computes and waits for nothing: what it starts beside goes on.
 * `processorMs`: the processor time of this thread so far.
 * @throws TimeLimitError or NoTimeError after the limit, and what `work` throws
 */
export function endWithin<Result>(
  limitMs: number,
  work: () => Result,
  processorMs: () => number = threadProcessorMs,
): Result {
  const before = processorMs();
  try {
    return vm.runInNewContext("work()", { work }, { timeout: limitMs }) as Result; // The expression calls it.
  } catch (error) {
    // An error of the other context, so no `Error` of this one.
    if ((error as { readonly code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    const usedMs = processorMs() - before;
    const EndedError = usedMs < limitMs / 2 ? NoTimeError : TimeLimitError;
    throw new EndedError(`The work was ended after ${limitMs} ms, ${Math.round(usedMs)} of them computing.`, {
      cause: error,
    });
  }
}

function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
