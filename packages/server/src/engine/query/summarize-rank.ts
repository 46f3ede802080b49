/** Puts sentences in order by their scores, finding no more of these than the reader of the order needs. */

import { indexTerms } from "../text/terms.ts";
import type { SentenceCandidate } from "./summarize-candidates.ts";
import type { SentenceScore } from "./summarize-score.ts";

export interface RankedSentence extends SentenceCandidate {
  readonly score: number;
  /** Of its {@link SentenceScore}. */
  readonly coverage: number;
  readonly terms: () => ReadonlySet<string>;
}

const maxRanked = 60;

/** The best 60 sentences, best first; those of equal scores in the order of the text. */
export function* rank(scores: readonly SentenceScore[]): Generator<RankedSentence, undefined> {
  const unscored = [...scores].sort((a, b) => b.bound - a.bound);
  const scored: RankedSentence[] = [];
  let next = 0;
  for (let count = 0; count < maxRanked; count++) {
    let best = scored.reduce(better, undefined);
    for (let open = unscored[next]; open !== undefined; open = unscored[++next]) {
      if (best !== undefined && open.bound < best.score) break;
      const sentence = {
        ...open.sentence,
        score: open.score(),
        coverage: open.coverage,
        terms: lazyTerms(open.sentence.text),
      };
      scored.push(sentence);
      best = better(best, sentence);
    }
    if (best === undefined) return;
    scored.splice(scored.indexOf(best), 1);
    yield best;
  }
}

function better(a: RankedSentence | undefined, b: RankedSentence): RankedSentence {
  if (a === undefined) return b;
  return (b.score - a.score || a.chunk - b.chunk || a.start - b.start) > 0 ? b : a;
}

/** Found when they are first asked for. */
export function lazyTerms(text: string): () => ReadonlySet<string> {
  let terms: ReadonlySet<string> | undefined;
  return () => {
    terms ??= new Set(indexTerms(text));
    return terms;
  };
}
