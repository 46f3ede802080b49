/** Finds names in passages to search for next: for "the founder of X", the name in the passage about X. */
import type { RankedChunk } from "../../../domain/query.ts";
import { readLexicon } from "../../text/names/lexicon.ts";
import { findMentions } from "../../text/names/mentions.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import { queryTerms } from "../../text/terms.ts";
import { namesInQuestion } from "./question-names.ts";

export interface BridgeName {
  /** As the passage writes it. */
  readonly name: string;
  /** Normal form. */
  readonly key: string;
  /** Above 0; comparable only within one question. */
  readonly weight: number;
  /** Names of the question that its passages contain; the follow-up question leaves them out. */
  readonly answered: readonly string[];
}

/** Passages that are read, the code units read of each, and the longest name. */
const MAX_CHUNKS = 8;
const MAX_CHUNK_UNITS = 4_000;
const MAX_NAME_UNITS = 80;

/**
 * Best first, at most `limit`, without names that the question contains. The weight of a name depends on
 * the score of its passage and on the share of the question's terms in its sentence; it is doubled when its
 * passage contains a name of the question. Takes a few milliseconds for eight passages.
 */
export function findBridgeNames(
  query: string,
  chunks: readonly RankedChunk[],
  limit: number,
): readonly BridgeName[] {
  const inQuestion = namesInQuestion(query).map(({ name }) => name);
  const terms = new Set(queryTerms(query));
  const best = chunks[0]?.similarity ?? 0;
  const found = new Map<string, { name: string; key: string; weight: number; answered: Set<string> }>();
  for (const [rank, chunk] of chunks.slice(0, MAX_CHUNKS).entries()) {
    const text = chunk.text.slice(0, MAX_CHUNK_UNITS);
    const folded = normalizeName(text);
    const answered = inQuestion.filter((name) => ` ${folded} `.includes(` ${name} `));
    const share = best > 0 ? chunk.similarity / best : 0;
    const weight = (share / (1 + 0.25 * rank)) * (answered.length > 0 ? 2 : 1);
    for (const { name, key, overlap } of namesIn(text, terms)) {
      if (inQuestion.some((other) => other === key || other.includes(key) || key.includes(other))) continue;
      const known = found.get(key) ?? { name, key, weight: 0, answered: new Set<string>() };
      known.weight = Math.max(known.weight, weight * (0.3 + overlap));
      for (const each of answered) known.answered.add(each);
      found.set(key, known);
    }
  }
  return [...found.values()]
    .sort((one, other) => other.weight - one.weight || (one.key < other.key ? -1 : 1))
    .slice(0, limit)
    .map((bridge) => ({ ...bridge, answered: [...bridge.answered] }));
}

interface FoundName {
  readonly name: string;
  readonly key: string;
  /** The share of the question's terms that its sentence contains. */
  readonly overlap: number;
}

function namesIn(text: string, terms: ReadonlySet<string>): readonly FoundName[] {
  const spans = [...sentences(text)];
  const overlaps = spans.map(({ start, end }) => {
    const own = new Set(queryTerms(text.slice(start, end)));
    let common = 0;
    for (const term of terms) if (own.has(term)) common++;
    return common / Math.max(1, terms.size);
  });
  return findMentions(text, spans, { lexicon: readLexicon(text) })
    .filter(({ isVariant, start, end }) => !isVariant && end - start <= MAX_NAME_UNITS)
    .map(({ start, end, name, sentence }) => ({
      name: text.slice(start, end),
      key: name,
      overlap: overlaps[sentence] ?? 0,
    }));
}
