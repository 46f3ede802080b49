/** Finds the dates by which a sentence bounds a relation: "from 1990 to 1995", "since 2001". */

import type { Span } from "../../../../domain/graph.ts";
import type { TokenRange } from "../statements/tagged-token.ts";
import type { SentenceView } from "./sentence-context.ts";

export interface Validity {
  readonly validFrom: Span | null;
  readonly validTo: Span | null;
}

const REACH_TOKENS = 8;
const starts = new Set(["from", "since", "between", "in", "on", "after", "starting"]);
const ends = new Set(["to", "until", "till", "through", "and", "-", "–", "—"]);

/** Of the dates soon after the later of both ends, in the same clause; null where the text does not say. */
export function findValidity(view: SentenceView, source: TokenRange, target: TokenRange): Validity {
  const after = Math.max(source.to, target.to);
  let validFrom: Span | null = null;
  let validTo: Span | null = null;
  let reach = after + REACH_TOKENS;
  for (const { kind, from, to, start, end } of view.mentions) {
    if (kind !== "date" || from < after || from > reach) continue;
    if (isOfAnotherClause(view, after, from)) break;
    const before = view.tokens[from - 1]?.lower ?? "";
    if (validFrom === null && (starts.has(before) || before === "(")) validFrom = { start, end };
    else if (validTo === null && (before === "until" || before === "till")) validTo = { start, end };
    else if (validFrom !== null && validTo === null && ends.has(before)) validTo = { start, end };
    reach = to + REACH_TOKENS;
  }
  return { validFrom, validTo };
}

/** A verb or a name between the relation and the date: the date is theirs. */
function isOfAnotherClause({ frames, mentions }: SentenceView, after: number, date: number): boolean {
  if (frames.some(({ from, to }) => from >= after && to <= date)) return true;
  return mentions.some(({ kind, from, to }) => kind === "proper" && from >= after && to <= date);
}
