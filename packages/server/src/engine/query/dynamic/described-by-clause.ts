/** Finds what a question describes by a clause: "Where was the engineer who built Kestrel Mill born?". English only. */
import type { Span } from "../../../domain/graph.ts";

export interface ClauseDescription extends Span {
  /** "engineer" */
  readonly role: string;
}

/** "the chief engineer who", "the county in which". A clause without such a word is not found: "the firm Ida Vell works for". */
const DESCRIBED =
  /(?<![\p{L}\p{N}])the ((?:(?!(?:and|for|in|of|the|to) )\p{Ll}[\p{Ll}-]{0,30} ){0,3}\p{Ll}[\p{Ll}-]{1,30}),? (?:(?:in|on|at|for|from|by|to|of|with) )?(?:who|whom|whose|that|which|where) /gu;
/** The verb of the question stands at its end: "When did the engineer who built it die?", "Where was … born?", "Which club does … play for?". */
const ASKS_DEED = /(?:^| )(?:did|does|do) $/u;
const ASKS_STATE = /(?:^| )(?:was|were|is|are) /u;
const DEED = / \p{Ll}{2,30}(?: (?:in|on|at|for|from|by|to|of|with|as))?$/u;
const STATE =
  /(?<! (?:is|was|were|are|be|been)) \p{Ll}{1,30}(?:ed|[^m]en|[oaw]wn|rn)(?: (?:in|on|at|for|from|by|to|as))?$/u;
const MARKS = /[\s?.!]{1,20}$/u;

/** The last one, which no other contains; null where there is none. */
export function describedByClause(query: string): ClauseDescription | null {
  const found = [...query.matchAll(DESCRIBED)].at(-1);
  if (found === undefined) return null;
  const start = found.index;
  const whole = query.replace(MARKS, "");
  const before = query.slice(0, start);
  const verb = ASKS_DEED.test(before) ? DEED : ASKS_STATE.test(before) ? STATE : null;
  const end = whole.length - (verb?.exec(whole)?.[0].length ?? 0);
  if (end <= start + found[0].length) return null;
  return { start, end, role: found[1]?.trim() ?? "" };
}
