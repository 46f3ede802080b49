/** Tells which names of the chunks that were found have to do with the question. */

import { normalizeName } from "../text/names/normal-form.ts";
import { queryTerms } from "../text/terms.ts";
import { findRelatedTerms } from "./related-words.ts";
import type { Summary } from "./summarize.ts";
import type { SentenceScore } from "./summarize-score.ts";

/** What is known of a name in a chunk. */
export interface PlacedName {
  /** In normal form. */
  readonly key: string;
  readonly type: string;
}

export interface NameRelevance {
  /** 0…1: how near the name stands to what the question asks, beside the sentence that is nearest. */
  of(name: PlacedName): number;
  /** Whether the question has a word of the edge type, or one related to it: "Who commanded …?", COMMANDED_BY. */
  asksFor(edgeType: string): boolean;
}

/** A sentence that is no nearer to the question makes no name relevant, though it be the nearest. */
const LEAST_NEARNESS = 0.2;
/** How much a name counts that only stands in a heading or label above what is near the question. */
const ABOVE_SHARE = 0.8;

/**
 * A name is as relevant as the best sentence that has it, or stands under it. Names that the summary quotes all are, and names of a kind that the question
 * asks for ("Which companies …?"). The sentences are read once; a name then costs a search through them.
 */
export function createNameRelevance(
  query: string,
  { scores, answers }: { readonly scores: readonly SentenceScore[] } & Pick<Summary, "answers">,
): NameRelevance {
  const quoted = answers.flatMap((answer) => answer.split("\n")).map(padded);
  const asked = new Set(queryTerms(query));
  const related = findRelatedTerms(asked);
  const wanted = new Set([...asked, ...[...related.values()].flat()]);
  const best = scores.reduce(
    (most, { sentence, nearness }) => (sentence.isGroup ? most : Math.max(most, nearness)),
    0,
  );
  // What stands in one list with the answer is not near it for that.
  const texts = scores
    .filter(({ sentence }) => !sentence.isGroup)
    .flatMap(({ sentence, nearness }) => [
      { text: padded(sentence.text), nearness },
      { text: padded(sentence.context.above.slice(-1).join(" ")), nearness: nearness * ABOVE_SHARE },
    ])
    .filter(({ text, nearness }) => text !== "  " && nearness >= LEAST_NEARNESS)
    .sort((one, other) => other.nearness - one.nearness);
  return {
    of({ key, type }) {
      const kind = queryTerms(type);
      if (kind.length > 0 && kind.every((term) => asked.has(term))) return 1;
      if (quoted.some((line) => line.includes(` ${key} `))) return 1;
      if (best === 0) return 0;
      const found = texts.find(({ text }) => text.includes(` ${key} `));
      return (found?.nearness ?? 0) / best;
    },
    asksFor: (edgeType) =>
      queryTerms(edgeType.replaceAll("_", " ").toLowerCase()).some((term) => wanted.has(term)),
  };
}

function padded(text: string): string {
  return ` ${normalizeName(text)} `;
}
