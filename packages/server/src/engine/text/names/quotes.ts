/** Finds quoted titles and terms. */

import type { Span } from "../../../domain/graph.ts";
import { functionWords } from "./name-words.ts";
import type { Token } from "./tokens.ts";

export interface Quote extends Span {
  /** Written like a title: its words begin with capitals, or its script has no case. */
  readonly isTitle: boolean;
}

const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "„": "“",
  "«": "»",
  "‹": "›",
  "「": "」",
  "『": "』",
  "《": "》",
  "〈": "〉",
  "【": "】",
};
/** The maximum length; longer quotations are speech. */
const quoteTokens = 14;

/** The short quotations among a sentence's tokens, without their quotation marks. Linear. */
export function findQuotes(text: string, tokens: readonly Token[]): readonly Quote[] {
  const quotes: Quote[] = [];
  for (let place = 0; place < tokens.length; place++) {
    const closer = tokens[place]?.kind === "mark" ? closers[tokens[place]?.text ?? ""] : undefined;
    if (closer === undefined) continue;
    const limit = Math.min(tokens.length, place + quoteTokens + 2);
    let end = place + 1;
    while (end < limit && !isClosing(tokens[end], closer)) end++;
    if (end >= limit) continue;
    const quote = quoteOf(text, tokens.slice(place + 1, end));
    if (quote !== null) quotes.push(quote);
    place = end;
  }
  return quotes;
}

function isClosing(token: Token | undefined, closer: string): boolean {
  return token?.kind === "mark" && (token.text === closer || (closer === "“" && token.text === "”"));
}

function quoteOf(text: string, inside: readonly Token[]): Quote | null {
  // "Like this," and “like this.”: the mark before the closing quotation mark belongs to the surrounding
  // sentence.
  const isStopped = inside.at(-1)?.kind === "mark" && /[,.;]/.test(inside.at(-1)?.text ?? "");
  const words = isStopped ? inside.slice(0, -1) : inside;
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || !words.some((token) => token.kind !== "mark")) return null;
  if (words.length === 1 && functionWords.has(first.lower)) return null;
  const isPlain = words.some((token) => token.kind === "lower" && token.lower.length > 4);
  const isTitle = first.kind === "caseless" || (!isPlain && first.kind === "name" && last.kind !== "lower");
  return text.slice(first.start, last.end).length > 160
    ? null
    : { start: first.start, end: last.end, isTitle };
}
