/** Scores how relevant the names in the retrieved chunks are to the question. */

import { normalizeName } from "../text/names/normal-form.ts";
import { queryTerms } from "../text/terms.ts";
import type { Summary } from "./summarize.ts";
import type { SentenceScore } from "./summarize-score.ts";
import { createTypeMatch } from "./type-match.ts";

export interface ChunkName {
  /** In normal form. */
  readonly key: string;
  readonly type: string;
}

export interface NameRelevance {
  /** 0…1, relative to the sentence that is nearest to the question. */
  of(name: ChunkName): number;
  /** As `createTypeMatch`. */
  asksFor(edgeType: string): boolean;
}

/** A sentence below this nearness makes no name relevant, even if it is the nearest one. */
const MIN_NEARNESS = 0.2;
/** Weight of a name in the heading or label above a sentence, relative to a name in the sentence. */
const HEADING_WEIGHT = 0.8;

/**
 * A name is as relevant as the best sentence that contains it or stands below it. Names that the summary
 * quotes have relevance 1, as have names of a type that the question asks for ("Which companies …?"). The
 * sentences are normalized once; each name then costs a search through them.
 */
export function createNameRelevance(
  query: string,
  { scores, answers }: { readonly scores: readonly SentenceScore[] } & Pick<Summary, "answers">,
): NameRelevance {
  const quoted = answers.flatMap((answer) => answer.split("\n")).map(padded);
  const terms = new Set(queryTerms(query));
  const best = scores.reduce(
    (most, { sentence, nearness }) => (sentence.isGroup ? most : Math.max(most, nearness)),
    0,
  );
  // A list as a whole is left out: an item is not relevant because the answer is in the same list.
  const texts = scores
    .filter(({ sentence }) => !sentence.isGroup)
    .flatMap(({ sentence, nearness }) => [
      { text: padded(sentence.text), nearness },
      { text: padded(sentence.context.above.slice(-1).join(" ")), nearness: nearness * HEADING_WEIGHT },
    ])
    .filter(({ text, nearness }) => text !== "  " && nearness >= MIN_NEARNESS)
    .sort((one, other) => other.nearness - one.nearness);
  return {
    of({ key, type }) {
      const typeTerms = queryTerms(type);
      if (typeTerms.length > 0 && typeTerms.every((term) => terms.has(term))) return 1;
      if (quoted.some((line) => line.includes(` ${key} `))) return 1;
      if (best === 0) return 0;
      const found = texts.find(({ text }) => text.includes(` ${key} `));
      return (found?.nearness ?? 0) / best;
    },
    asksFor: createTypeMatch(query),
  };
}

function padded(text: string): string {
  return ` ${normalizeName(text)} `;
}
