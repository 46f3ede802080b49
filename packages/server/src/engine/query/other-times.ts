/** Which sentences state a relationship that a question asks for and that does not hold at the time of which it asks. */
import type { ChunkKey } from "../../domain/document.ts";
import type { OtherTimes, Question } from "../../domain/query.ts";
import type { GraphStore, TimedStatement } from "../../ports/graph-store.ts";
import { queryTerms } from "../text/terms.ts";
import { asksForTime, asksOfThePast } from "./question-time.ts";
import { answerTypeOf } from "./summarize-cues.ts";
import { createTypeMatch } from "./type-match.ts";

const NONE: OtherTimes = { places: [], holding: [], latest: [], earlier: [], isNow: false };
/** "Who is the finance director?": one holder of something that has no name of its own. */
const asksForHolder = /^\s{0,9}who(?:['’]s| is) (?:the |our )?/iu;
const nowWord = /\b(?:current|currently|now|present|today)\b/giu;

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
  const { latest, earlier } =
    isNow && isHolderAsked(query)
      ? byAge(
          holding.filter(({ began }) => began === null || began <= asOf.date),
          linked,
        )
      : { latest: [], earlier: [] };
  const held = { holding: placesOf(holding), latest: placesOf(latest), earlier: placesOf(earlier) };
  return { places: placesOf(others), ...held, isNow };
}

/** The word before the thing has no capital: "Who is Ivo Brandt?" asks what he is. */
function isHolderAsked(query: string): boolean {
  const [asked] = asksForHolder.exec(query) ?? [];
  return asked !== undefined && /^\p{Ll}/u.test(query.slice(asked.length));
}

/** Of those that are told of what the question names, as of holders of a post, the one of whom is told last, and the others. */
function byAge(holding: readonly TimedStatement[], linked: readonly string[]) {
  const names = new Set(linked);
  const told = holding.filter(({ source, target }) => names.has(target) && !names.has(source));
  const groups = Map.groupBy(told, ({ type, target }) => `${type}\n${target}`);
  const parts = [...groups.values()].map((group) => {
    const last = group.map(ageOf).toSorted().at(-1) ?? "";
    const ofLast = last === "" ? [] : group.filter((each) => ageOf(each) === last);
    const holder = new Set(ofLast.map(({ source }) => source));
    return Object.groupBy(group, ({ source }) => (holder.has(source) ? "latest" : "earlier"));
  });
  const [latest, earlier] = [
    parts.flatMap(({ latest = [] }) => latest),
    parts.flatMap(({ earlier = [] }) => earlier),
  ];
  return latest.length === 0 ? { latest, earlier: [] } : { latest, earlier };
}

/** In the order of time: when the text was written, or what it states began after that, then when it began. "" where neither is known. */
function ageOf({ began, told }: TimedStatement): string {
  const known = [began, told].flatMap((time) => time ?? []).toSorted();
  const [last] = known.toReversed();
  return last === undefined ? "" : `${last} ${began ?? ""}`;
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
  const isNameAlone = queryTerms(query.replace(nowWord, " ")).every((term) => ofNames.has(term));
  const asksForEnd = isNameAlone && (kind === "person" || kind === "place");
  return ({ type, source, target }) =>
    asksForType(type) || (asksForEnd && names.has(source) !== names.has(target));
}

function overlaps(one: TimedStatement, other: TimedStatement): boolean {
  return one.versionId === other.versionId && one.start < other.end && other.start < one.end;
}
