/** Prefers sentences of what holds at the time that is asked of to those of another time. */
import type { OtherTimes } from "../../domain/query.ts";
import { candidatesAt, type SentenceCandidate, type SummaryChunk } from "./summarize-candidates.ts";
import { rank } from "./summarize-rank.ts";
import type { SentenceScore } from "./summarize-score.ts";

/** How much of its score a sentence keeps beside one of what holds: what is much nearer to the question still answers best. */
const OTHER_TIME = 0.5;
const ENDED = "By what the documents tell, this has ended:\n";

export interface PreferredTimes {
  readonly scores: readonly SentenceScore[];
  /** Beside a sentence of what holds, one of another time would be read as holding, too. */
  readonly isLeftOut: (sentence: SentenceCandidate) => boolean;
  /** Whether the sentence has to be said to be of what has ended. */
  readonly hasEnded: (sentence: SentenceCandidate) => boolean;
}

/** `found`: what is quoted before the sentences with the best scores. */
export function preferTime(
  scores: readonly SentenceScore[],
  otherTimes: OtherTimes | null,
  found: readonly SentenceCandidate[],
): PreferredTimes {
  const never = () => false;
  const { places = [], holding = [], earlier = [], isNow = false } = otherTimes ?? {};
  if (places.length + earlier.length === 0) return { scores, isLeftOut: never, hasEnded: never };
  const isIn =
    (all: OtherTimes["places"]) =>
    ({ versionId, start, end }: SentenceCandidate) =>
      all.some((place) => place.versionId === versionId && start < place.end && place.start < end);
  const [isEnded, isOther, isHolding] = [isIn(places), isIn([...places, ...earlier]), isIn(holding)];
  const isHeld = (sentence: SentenceCandidate) => isHolding(sentence) && !isOther(sentence);
  // Where nothing that is stated holds, something else that is said of the thing would answer in its place.
  const weight = scores.some(({ sentence }) => isHeld(sentence)) ? OTHER_TIME : 1;
  const weighed = scores.map((each): SentenceScore => {
    if (weight === 1 || !isOther(each.sentence)) return each;
    return { ...each, bound: weight * each.bound, score: () => weight * each.score() };
  });
  const first = found.find((each) => weight === 1 || !isOther(each)) ?? rank(weighed).next().value;
  const isFirstOther = first !== undefined && isOther(first);
  return {
    scores: weighed,
    isLeftOut: isFirstOther ? never : isOther,
    hasEnded: isFirstOther && isNow ? isEnded : never,
  };
}

/** Of several holders that are told of what one is asked for, the sentence that states the latest, from the best chunk. */
export function latestIn(
  chunks: readonly SummaryChunk[],
  otherTimes: OtherTimes | null,
): readonly SentenceCandidate[] {
  const stated = (otherTimes?.latest ?? []).flatMap((place) => candidatesAt(chunks, place).slice(0, 1));
  return stated.toSorted((one, other) => one.chunk - other.chunk).slice(0, 1);
}

export interface TimeParts<Sentence> {
  /** To be said to be of what has ended. */
  readonly ended: readonly Sentence[];
  readonly rest: readonly Sentence[];
}

export function partByTime<Sentence extends SentenceCandidate>(
  taken: readonly Sentence[],
  { hasEnded }: PreferredTimes,
): TimeParts<Sentence> {
  const { ended = [], rest = [] } = Object.groupBy(taken, (each) => (hasEnded(each) ? "ended" : "rest"));
  return { ended, rest };
}

/** What has ended comes first, as such; what else is quoted stands apart from it. */
export function joinParts<Sentence>(
  { ended, rest }: TimeParts<Sentence>,
  join: (sentences: readonly Sentence[]) => string,
): string {
  if (ended.length === 0) return join(rest);
  return `${ENDED}${[ended, rest]
    .filter((part) => part.length > 0)
    .map(join)
    .join("\n\n")}`;
}
