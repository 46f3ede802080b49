/** Whether a question asks for relationships of a type. */
import { queryTerms } from "../text/terms.ts";
import { findRelatedTerms } from "./related-words.ts";

/** Whether the question has a word of the edge type or a related one: "Who commanded …?", COMMANDED_BY. */
export function createTypeMatch(query: string): (edgeType: string) => boolean {
  // Also "own", which is no term: "Who owns …?", "What does … own?"
  const words = query.toLowerCase().match(/\p{L}+/gu) ?? [];
  const terms = new Set([...queryTerms(query), ...words]);
  const related = findRelatedTerms(terms);
  const termsOrRelated = new Set([...terms, ...[...related.values()].flat()]);
  return (edgeType) =>
    queryTerms(edgeType.replaceAll("_", " ").toLowerCase()).some((term) => termsOrRelated.has(term));
}
