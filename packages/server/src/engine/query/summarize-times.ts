/** Prefers sentences of what holds at the time that is asked of to those of another time. */
import type { OtherTimes } from "../../domain/query.ts";
import type { SentenceCandidate } from "./summarize-candidates.ts";
import { rank } from "./summarize-rank.ts";
import type { SentenceScore } from "./summarize-score.ts";

/** How much of its score a sentence keeps: what is much nearer to the question than all that holds still answers best. */
const OTHER_TIME = 0.5;
const ENDED = "By what the documents tell, this has ended:\n";

export interface PreferredTimes {
  readonly scores: readonly SentenceScore[];
  /** Beside a sentence of what holds, one of another time would be read as holding, too. */
  readonly isLeftOut: (sentence: SentenceCandidate) => boolean;
  /** Stands before the sentences; "" where it need not be said. */
  readonly statement: string;
}

export function preferTime(scores: readonly SentenceScore[], otherTimes: OtherTimes | null): PreferredTimes {
  const { places, isNow } = otherTimes ?? { places: [], isNow: false };
  if (places.length === 0) return { scores, isLeftOut: () => false, statement: "" };
  const isOther = ({ versionId, start, end }: SentenceCandidate) =>
    places.some((place) => place.versionId === versionId && start < place.end && place.start < end);
  const weighed = scores.map((each): SentenceScore => {
    if (!isOther(each.sentence)) return each;
    return { ...each, bound: OTHER_TIME * each.bound, score: () => OTHER_TIME * each.score() };
  });
  const best = rank(weighed).next().value;
  const isBestOther = best !== undefined && isOther(best);
  return {
    scores: weighed,
    isLeftOut: (sentence) => !isBestOther && isOther(sentence),
    statement: isBestOther && isNow ? ENDED : "",
  };
}
