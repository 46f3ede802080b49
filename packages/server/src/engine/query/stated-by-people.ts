/** What people have stated in the graph that a question asks for: no sentence of a document need say it. */
import type { Answer, AnswerRelationship, Question, StatedRelationship } from "../../domain/query.ts";
import { holdsAt, type Moment, type Validity } from "../../domain/validity.ts";
import { nameFinder, normalizeName } from "../text/names/normal-form.ts";
import { sentences } from "../text/sentences.ts";
import { createTypeMatch } from "./type-match.ts";

const MAX_STATED = 3;

/**
 * With the relationships that a person has added or confirmed, that hold at the time of the question, whose type and one of whose ends the question
 * names, and that no sentence of the summary says. The summary begins with them, unless a language model writes it: of that, parts may be with the client.
 */
export function tellStated(
  { query, asOf = null }: Pick<Question, "query" | "asOf">,
  answer: Answer,
  { isModel }: { readonly isModel: boolean },
): Answer {
  const asked = askedStatements(query, answer.relationships, asOf);
  if (asked.length === 0) return answer;
  const said = [...sentences(answer.summary)].map(({ start, end }) => {
    const text = answer.summary.slice(start, end);
    return { text, hasName: nameFinder(text) };
  });
  const stated = asked
    .filter(
      ({ ends: [one, other], stated: { type } }) =>
        !said.some(({ text, hasName }) => hasName(one) && hasName(other) && createTypeMatch(text)(type)),
    )
    .slice(0, MAX_STATED)
    .map((each) => each.stated);
  if (stated.length === 0) return answer;
  const summary = isModel ? answer.summary : [...stated.map(lineOf), answer.summary].join("\n");
  return { ...answer, summary, stated };
}

/** What people state that the question asks for, "Who directed The Lantern?"; null where they state nothing, or several. */
export function statedName(
  { query, asOf }: { readonly query: string; readonly asOf: Moment | null },
  relationships: readonly AnswerRelationship[],
): string | null {
  const found = new Set(askedStatements(query, relationships, asOf).map(({ name }) => name));
  const [name = null] = found;
  return found.size === 1 ? name : null;
}

interface AskedStatement {
  readonly stated: StatedRelationship;
  /** In normal form. */
  readonly ends: readonly [string, string];
  /** Of the end that the question does not name; of the target where it names both. */
  readonly name: string;
}

/** Where the question names both ends of one, only those. */
function askedStatements(
  query: string,
  relationships: readonly AnswerRelationship[],
  asOf: Moment | null,
): readonly AskedStatement[] {
  const confirmed = relationships.flatMap(({ confirmed: times, ...relationship }) =>
    times !== undefined && holds(times, asOf) ? [{ ...relationship, ...times }] : [],
  );
  if (confirmed.length === 0) return [];
  const [asksFor, isAsked] = [createTypeMatch(query), nameFinder(query)];
  const found = confirmed.flatMap((stated) => {
    const { type, source, target } = stated;
    const [one, other] = [normalizeName(source), normalizeName(target)];
    const asked = Number(isAsked(one)) + Number(isAsked(other));
    if (!asksFor(type) || asked === 0) return [];
    const statement = { stated, ends: [one, other] as const, name: isAsked(one) ? target : source };
    return [{ statement, isWhole: asked === 2 }];
  });
  const whole = found.filter(({ isWhole }) => isWhole);
  return (whole.length > 0 ? whole : found).map(({ statement }) => statement);
}

/** What begins later is told only where that time is asked of. */
function holds(times: Validity, asOf: Moment | null): boolean {
  return asOf === null || holdsAt(times, { ...asOf, by: "request" });
}

function lineOf({ source, type, target, validFrom, validTo }: StatedRelationship): string {
  const times = [
    validFrom === null ? [] : [`from ${validFrom}`],
    validTo === null ? [] : [`until ${validTo}`],
  ];
  const told = times.flat().length === 0 ? "" : ` (${times.flat().join(" ")})`;
  return `Stated by a person: ${source} – ${type.replaceAll("_", " ").toLowerCase()} – ${target}${told}.`;
}
