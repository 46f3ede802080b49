/** Tells in the summary what people have stated in the graph: no sentence of a document need say it. */
import type { Answer, AnswerRelationship } from "../../domain/query.ts";
import { nameFinder, normalizeName } from "../text/names/normal-form.ts";
import { sentences } from "../text/sentences.ts";
import { createTypeMatch } from "./type-match.ts";

const MAX_STATED = 3;

/**
 * With a line before the summary for each relationship that a person has added or confirmed, that the question asks for by its type and one of its ends,
 * and whose ends no sentence of the summary has together.
 */
export function tellStated(query: string, answer: Answer): Answer {
  const confirmed = answer.relationships.filter(({ isConfirmed = false }) => isConfirmed);
  if (confirmed.length === 0) return answer;
  const asksFor = createTypeMatch(query);
  const isAsked = nameFinder(query);
  const said = [...sentences(answer.summary)].map(({ start, end }) =>
    nameFinder(answer.summary.slice(start, end)),
  );
  const lines = confirmed
    .filter(({ type, source, target }) => {
      const [one, other] = [normalizeName(source), normalizeName(target)];
      const isHalfAsked = isAsked(one) !== isAsked(other);
      return asksFor(type) && isHalfAsked && !said.some((hasName) => hasName(one) && hasName(other));
    })
    .slice(0, MAX_STATED)
    .map(lineOf);
  return lines.length === 0 ? answer : { ...answer, summary: [...lines, answer.summary].join("\n") };
}

function lineOf({ source, type, target }: AnswerRelationship): string {
  return `Stated by a person: ${source} – ${type.replaceAll("_", " ").toLowerCase()} – ${target}.`;
}
