/** Finds names in passages to search for next: for "the founder of X", the name in the passage about X. */
import type { Span } from "../../../domain/graph.ts";
import type { BridgeName, RankedChunk } from "../../../domain/query.ts";
import { readLexicon } from "../../text/names/lexicon.ts";
import { findMentions } from "../../text/names/mentions.ts";
import { nameFinder } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import { queryTerms } from "../../text/terms.ts";
import { namesInQuestion, type QuestionName } from "./question-names.ts";

/** Passages that are read, the code units read of each, and the longest name. */
const MAX_CHUNKS = 8;
const MAX_CHUNK_UNITS = 4_000;
const MAX_NAME_UNITS = 80;

/**
 * Best first, at most `limit`, without names that the question contains, from passages whose score is above 0. The weight of a name depends on
 * the score of its passage and on the share of the question's terms in its sentence; it is doubled when its
 * passage contains a name of the question.
 */
export function findBridgeNames(
  query: string,
  chunks: readonly RankedChunk[],
  limit: number,
): readonly BridgeName[] {
  const inQuestion = namesInQuestion(query);
  const terms = new Set(queryTerms(query));
  const best = chunks[0]?.similarity ?? 0;
  const found = new Map<string, Omit<BridgeName, "answered"> & { readonly answered: Set<QuestionName> }>();
  for (const [rank, chunk] of chunks.slice(0, MAX_CHUNKS).entries()) {
    const text = chunk.text.slice(0, MAX_CHUNK_UNITS);
    const hasName = nameFinder(text);
    const answered = inQuestion.filter(({ name }) => hasName(name));
    const share = best > 0 ? chunk.similarity / best : 0;
    const weight = (share / (1 + 0.25 * rank)) * (answered.length > 0 ? 2 : 1);
    for (const { name, key, overlap, sentence } of namesIn(text, terms)) {
      if (inQuestion.some((other) => other.name.includes(key) || key.includes(other.name))) continue;
      const known = found.get(key);
      const own = weight * (0.3 + overlap);
      if (own <= (known?.weight ?? 0)) {
        for (const each of answered) known?.answered.add(each);
        continue;
      }
      found.set(key, {
        name: known?.name ?? name,
        key,
        weight: own,
        from: sentenceOf(chunk, text, sentence),
        answered: new Set([...(known?.answered ?? []), ...answered]),
      });
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
  /** Offsets into the text. */
  readonly sentence: Span;
  /** The share of the question's terms that the sentence contains. */
  readonly overlap: number;
}

function sentenceOf(chunk: RankedChunk, text: string, { start, end }: Span): BridgeName["from"] {
  const { versionId, position, sourceDocId } = chunk;
  const sentence = text.slice(start, end);
  return { versionId, position, sourceDocId, sentence, start: chunk.start + start, end: chunk.start + end };
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
    .flatMap(({ start, end, name, sentence }) => {
      const span = spans[sentence];
      if (span === undefined) return [];
      return [{ name: text.slice(start, end), key: name, sentence: span, overlap: overlaps[sentence] ?? 0 }];
    });
}
