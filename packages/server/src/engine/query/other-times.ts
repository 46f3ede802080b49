/** Which sentences state a relationship that a question asks for and that does not hold at the time of which it asks. */
import type { ChunkKey } from "../../domain/document.ts";
import type { OtherTimes, Question } from "../../domain/query.ts";
import type { GraphStore, TimedStatement } from "../../ports/graph-store.ts";
import { queryTerms } from "../text/terms.ts";
import { asksForTime, asksOfThePast } from "./question-time.ts";
import { answerTypeOf } from "./summarize-cues.ts";
import { createTypeMatch } from "./type-match.ts";

const NONE: OtherTimes = { places: [], holding: [], isNow: false };

/**
 * `linked`: normal forms of the names of the question. A question for a time, or of the past without one, asks for what has ended, too; one with a
 * filter is answered by what its documents tell alone.
 */
export async function findOtherTimes(
  { projectId, query, filter, asOf = null }: Question,
  { chunks, linked }: { readonly chunks: readonly ChunkKey[]; readonly linked: readonly string[] },
  graph: Pick<GraphStore, "readTimedStatements">,
): Promise<OtherTimes> {
  if (asOf === null || filter !== null || chunks.length === 0 || asksForTime.test(query)) return NONE;
  const isNow = asOf.by === "today";
  if (isNow && asksOfThePast(query)) return NONE;
  const keys = chunks.map(({ versionId, position }) => ({ versionId, position }));
  const stated = await graph.readTimedStatements({ projectId, keys, asOf });
  const isAsked = createIsAsked(query, linked);
  const asked = stated.filter(isAsked);
  const holding = asked.filter(({ holds }) => holds);
  const placesOf = (statements: readonly TimedStatement[]) =>
    statements.map(({ versionId, start, end }) => ({ versionId, start, end }));
  const others = asked.filter((one) => !one.holds && !holding.some((other) => overlaps(one, other)));
  return { places: placesOf(others), holding: placesOf(holding), isNow };
}

/**
 * Of a type that the question has a word for; where it has no word but a name ("Where is Larch Mill?"), any between that and what it asks for: a
 * person, a place. A question with other words asks for something else than what has no such word.
 */
function createIsAsked(query: string, linked: readonly string[]): (statement: TimedStatement) => boolean {
  const names = new Set(linked);
  const asksForType = createTypeMatch(query);
  const { kind } = answerTypeOf(query);
  const ofNames = new Set(linked.flatMap((name) => queryTerms(name)));
  const isNameAlone = queryTerms(query).every((term) => ofNames.has(term));
  const asksForEnd = isNameAlone && (kind === "person" || kind === "place");
  return ({ type, source, target }) =>
    asksForType(type) || (asksForEnd && names.has(source) !== names.has(target));
}

function overlaps(one: TimedStatement, other: TimedStatement): boolean {
  return one.versionId === other.versionId && one.start < other.end && other.start < one.end;
}
