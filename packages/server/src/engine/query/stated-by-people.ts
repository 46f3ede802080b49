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
  const stated = askedStatements(query, answer.relationships);
  if (stated.length === 0) return answer;
  const said = [...sentences(answer.summary)].map(({ start, end }) =>
    nameFinder(answer.summary.slice(start, end)),
  );
  const lines = stated
    .filter(({ ends: [one, other] }) => !said.some((hasName) => hasName(one) && hasName(other)))
    .slice(0, MAX_STATED)
    .map(({ relationship }) => lineOf(relationship));
  return lines.length === 0 ? answer : { ...answer, summary: [...lines, answer.summary].join("\n") };
}

/** What people state that the question asks for, "Who directed The Lantern?"; null where they state nothing, or several. */
export function statedName(query: string, relationships: readonly AnswerRelationship[]): string | null {
  const found = new Set(askedStatements(query, relationships).map(({ name }) => name));
  const [name = null] = found;
  return found.size === 1 ? name : null;
}

interface AskedStatement {
  readonly relationship: AnswerRelationship;
  /** In normal form. */
  readonly ends: readonly [string, string];
  /** Of the end that the question does not name. */
  readonly name: string;
}

function askedStatements(
  query: string,
  relationships: readonly AnswerRelationship[],
): readonly AskedStatement[] {
  const confirmed = relationships.filter(({ isConfirmed = false }) => isConfirmed);
  if (confirmed.length === 0) return [];
  const [asksFor, isAsked] = [createTypeMatch(query), nameFinder(query)];
  return confirmed.flatMap((relationship) => {
    const { type, source, target } = relationship;
    const [one, other] = [normalizeName(source), normalizeName(target)];
    if (!asksFor(type) || isAsked(one) === isAsked(other)) return [];
    return [{ relationship, ends: [one, other] as const, name: isAsked(one) ? target : source }];
  });
}

function lineOf({ source, type, target }: AnswerRelationship): string {
  return `Stated by a person: ${source} – ${type.replaceAll("_", " ").toLowerCase()} – ${target}.`;
}
