/** Ends work that computes for too long, also inside a regular expression or in code of others. */
import vm from "node:vm";

/** The work was ended where it was. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/**
 * What `work` returns. It computes and waits for nothing: what it starts beside goes on.
 * @throws TimeLimitError after the limit, and what `work` throws
 */
export function endWithin<Result>(limitMs: number, work: () => Result): Result {
  try {
    return vm.runInNewContext("work()", { work }, { timeout: limitMs }) as Result; // The expression calls it.
  } catch (error) {
    // An error of the other context, so no `Error` of this one.
    if ((error as { readonly code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new TimeLimitError(`The work was ended after ${limitMs} ms.`, { cause: error });
  }
}
