/** Splits a question that compares several things or joins several clauses. */
import { namesInQuestion, removeSpans } from "./question-names.ts";

const MAX_PARTS = 3;
const MIN_CLAUSE_WORDS = 3;
const JOINT = /^["”’']?,?\s*(?:and|or|than|,|vs\.?|versus|und|oder|et|ou|y|o)\s*(?:the\s+)?["“‘']?$/i;
const CONJUNCTION = /\s(?:and|or|than|vs\.?|versus|und|oder|et|ou|y|o)\s/i;
const CLAUSE = /[,;]?\s{1,8}(?:and|und|et|y)\s{1,8}(?=(?:who|what|when|where|which|why|how)\b)/i;

/**
 * One question for each thing that is compared ("Which is older, A or B?" gives "Which is older, A" and
 * "Which is older, B"), or one for each clause ("Who founded A and where is B?"). Empty when the question
 * cannot be split.
 */
export function splitQuestion(query: string): readonly string[] {
  const compared = splitNames(query);
  if (compared.length > 0) return compared;
  const clauses = query
    .split(CLAUSE)
    .map((part) => part.trim())
    .filter((part) => part.split(/\s+/).length >= MIN_CLAUSE_WORDS);
  return clauses.length > 1 ? clauses.slice(0, MAX_PARTS) : [];
}

function splitNames(query: string): readonly string[] {
  const names = namesInQuestion(query);
  for (const [at, one] of names.entries()) {
    const joined = [one];
    for (const other of names.slice(at + 1)) {
      const between = query.slice(joined.at(-1)?.end, other.start);
      if (joined.length >= MAX_PARTS || !JOINT.test(between)) break;
      joined.push(other);
    }
    const [start, end] = [one.start, joined.at(-1)?.end ?? 0];
    // Commas alone do not compare: "Orrin, Denmark" is one place.
    if (joined.length < 2 || !CONJUNCTION.test(query.slice(start, end))) continue;
    return joined.map((kept) =>
      removeSpans(query, [
        { start, end: kept.start },
        { start: kept.end, end },
      ]),
    );
  }
  return [];
}
