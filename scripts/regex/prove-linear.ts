/** Decides with automata whether a regular expression takes linear time on every text. */
import { checkSync } from "recheck";

// In this process: the native program that recheck starts otherwise is not built for every platform.
process.env["RECHECK_SYNC_BACKEND"] = "pure";
/** The slowest takes a second. Without a limit, one that is too difficult would hold up the checks. */
const TIMEOUT_MS = 60_000;

/** null for one that is proven. Counts the backtracking in a match and the search from each position of the text. */
export function faultOf({ source, flags }: Pick<RegExp, "source" | "flags">): string | null {
  const result = checkSync(source, flags, { checker: "automaton", timeout: TIMEOUT_MS });
  if (result.status === "safe") return null;
  if (result.status === "unknown") return `cannot be proven linear (${result.error.kind})`;
  return `is ${result.complexity.summary}, as for ${result.attack.pattern}`;
}
