/** Determines the subject of a text from its first sentence. */

import type { Mention, Span } from "../../../domain/graph.ts";
import { blocks } from "../blocks.ts";
import { blockSentences } from "../sentences.ts";
import { findAliases } from "./aliases.ts";
import { definedTerm, type TermRange } from "./defined-term.ts";
import { isReferable, type Lexicon } from "./lexicon.ts";
import { findMentions } from "./mentions.ts";
import { connectors, looseConnectors } from "./name-words.ts";
import { nameAliases, normalizeName } from "./normal-form.ts";
import { personNames } from "./person-names.ts";
import { findRuns } from "./runs.ts";
import { type Token, tokenize } from "./tokens.ts";

export interface Opening {
  /** The first is the subject's name in the text, the others are forms of it; may be empty. */
  readonly names: readonly string[];
  /** Whether the sentence defines the first name ("X is …", "X (…") and does not just begin with it. */
  readonly isDefined: boolean;
}

const openingUnits = 1500;
const sentenceUnits = 700;
const extensionTokens = 12;
const noOpening: Opening = { names: [], isDefined: false };

/**
 * The subject of a document according to the first sentence under its headings. Reads at most the first 1,500
 * code units; `title` is skipped if it is on a line of its own. The first name is the term that the sentence
 * defines ("X is …", "X (…"), or else its first name; it is followed by other forms that the sentence states
 * or that are derived from it ("Ann Mary Lee" gives "ann lee"). Empty if the sentence begins with a pronoun.
 */
export function findOpening(
  document: string,
  { title, lexicon }: { readonly title: string | null; readonly lexicon: Lexicon },
): Opening {
  const sentence = firstSentence(document.slice(0, openingUnits), title);
  if (sentence === null) return noOpening;
  const tokens = tokenize(document, sentence);
  const term = definedTerm(tokens);
  const range = term ?? firstRun(tokens, lexicon);
  const span = spanOf(tokens, range);
  if (range === null || span === null) return noOpening;
  const [name, ...otherForms] = nameAliases(document.slice(span.start, span.end));
  if (name === undefined) return noOpening;
  const forms = [
    ...otherForms,
    ...personNames(tokens, range),
    ...shorterTerm({ document, tokens, range, lexicon }),
    ...otherNames(document, { sentence, tokens, range, name, span, lexicon }),
  ];
  return { names: [...new Set([name, ...forms])].filter((form) => form !== ""), isDefined: term !== null };
}

function spanOf(tokens: readonly Token[], range: TermRange | null): Span | null {
  const [from, to] = range === null ? [] : [tokens[range.first], tokens[range.last]];
  return from === undefined || to === undefined ? null : { start: from.start, end: to.end };
}

function firstSentence(text: string, title: string | null): Span | null {
  const titleName = title === null ? null : normalizeName(title);
  for (const block of blocks(text)) {
    if (block.kind !== "paragraph" && block.kind !== "item") continue;
    if (titleName !== null && normalizeName(text.slice(block.start, block.end)) === titleName) continue;
    for (const { start, end } of blockSentences(text, block)) {
      return { start, end: Math.min(end, start + sentenceUnits) };
    }
  }
  return null;
}

const withoutSubject = /^(?:it|he|she|they|we|you|i|this|that|these|those|there|his|her|its|their)$/;
const prepositions =
  /^(?:in|on|at|by|for|from|with|under|over|between|near|of|to|since|until|during|after|before)$/;

/** The first name in the sentence, skipping a place or time in an opening phrase ("In Paris, …"). */
function firstRun(tokens: readonly Token[], lexicon: Lexicon): TermRange | null {
  const opener = tokens.find((token) => token.kind !== "mark");
  if (opener === undefined || withoutSubject.test(opener.lower)) return null;
  const runs = findRuns(tokens, lexicon).filter((run) => !isAdjective(tokens, run, lexicon));
  if (!prepositions.test(opener.lower)) return runs[0] ?? null;
  const comma = tokens.findIndex((token) => token.text === ",");
  return runs.find((run) => run.first > comma) ?? runs[0] ?? null;
}

/** "American singer", "Relaxed rules": a single word that only modifies the next one. */
function isAdjective(tokens: readonly Token[], { first, last }: TermRange, lexicon: Lexicon): boolean {
  const token = tokens[first];
  if (first !== last || token === undefined || tokens[last + 1]?.kind !== "lower") return false;
  return !isReferable(token) || (first === 0 && !lexicon.isProper(token.lower));
}

interface TermContext {
  readonly document: string;
  readonly tokens: readonly Token[];
  readonly range: TermRange;
  readonly lexicon: Lexicon;
}

/** "The Hall in Town was built": the name before the loose connector is a form of the term. */
function shorterTerm({ document, tokens, range, lexicon }: TermContext): readonly string[] {
  const inside = tokens.slice(range.first, range.last + 1);
  if (!inside.some((token) => token.kind === "lower" && looseConnectors.has(token.lower))) return [];
  const run = findRuns(tokens, lexicon).find(({ first }) => first === range.first);
  if (run === undefined || run.last >= range.last || run.first === run.last) return [];
  const span = spanOf(tokens, run);
  return span === null ? [] : [normalizeName(document.slice(span.start, span.end))];
}

interface NamedTerm {
  readonly sentence: Span;
  readonly tokens: readonly Token[];
  readonly range: TermRange;
  readonly name: string;
  readonly span: Span;
  readonly lexicon: Lexicon;
}

/**
 * The name with its apposition ("Albert III, Duke of Bavaria, was"), and the aliases stated after either
 * form.
 */
function otherNames(
  document: string,
  { sentence, tokens, range, name, span, lexicon }: NamedTerm,
): readonly string[] {
  const extended = extendedSpan(tokens, range);
  const ends = extended === null ? [span.end] : [span.end, extended.end];
  const mentions = findMentions(document, [sentence], { lexicon });
  const stated = ends.flatMap((end) => {
    const subject: Mention = { start: span.start, end, name, sentence: 0, isVariant: false };
    const others = mentions.filter((mention) => mention.start >= end);
    return findAliases(document, [subject, ...others]).filter((alias) => alias.name === name);
  });
  const alternative = alternativeName(document, tokens, range);
  return [
    ...(extended === null ? [] : [normalizeName(document.slice(extended.start, extended.end))]),
    ...alternative,
    ...stated.map(({ alias }) => alias),
  ];
}

function extendedSpan(tokens: readonly Token[], { first, last }: TermRange): Span | null {
  const next = tokens[last + 2];
  if (
    tokens[last + 1]?.text !== "," ||
    (next?.kind !== "name" && next?.lower !== "the" && next?.kind !== "number")
  )
    return null;
  let end = last + 2;
  while (end - last < extensionTokens && isTitleWord(tokens[end + 1])) end++;
  while (end > last + 2 && tokens[end]?.kind === "lower") end--;
  return tokens[end]?.kind === "lower" ? null : spanOf(tokens, { first, last: end });
}

function isTitleWord(token: Token | undefined): boolean {
  if (token === undefined || token.kind === "mark") return false;
  return token.kind !== "lower" || connectors.has(token.lower) || token.lower === "the";
}

/** "X or Y is": Y, if the term ends at the "or". */
function alternativeName(document: string, tokens: readonly Token[], { last }: TermRange): readonly string[] {
  if (tokens[last + 1]?.lower !== "or") return [];
  let first = last + 2;
  while (/^(?:simply|just|the|also|a|an|sometimes)$/.test(tokens[first]?.lower ?? "")) first++;
  const run = definedTerm(tokens.slice(first));
  const span = run === null ? null : spanOf(tokens, { first: first + run.first, last: first + run.last });
  return span === null ? [] : [normalizeName(document.slice(span.start, span.end))];
}
