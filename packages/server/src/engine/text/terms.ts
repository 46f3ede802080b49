/** Produces the terms of the lexical index. */
import { boundedTerm } from "./bounded-term.ts";
import { addCompound } from "./compound-terms.ts";
import { type Compound, compoundsOf, markCapitalNames } from "./compounds.ts";
import { type Stem, stemWord } from "./stem.ts";
import { createTermSink, type TermSink } from "./term-sink.ts";

export interface IndexedTerms {
  readonly terms: readonly string[];
  /** The length of the text for BM25: the number of its terms without extras. */
  readonly length: number;
}

const CONTRACTED = new Set(["s", "t", "d", "m", "re", "ve", "ll"]);
/**
 * The terms under which a chunk is indexed, in text order, with repetitions.
 *
 * - Case, compatibility forms and diacritics are folded; English words are Porter-stemmed, stop words
 *   dropped, except for `IT` and `WHO` in capitals. A question of stop words alone has no terms: only the
 *   dense retriever answers it, because stop words in the index would double the postings for questions that
 *   keywords cannot answer.
 * - Compounds (part numbers, error codes, versions, e-mail addresses, identifiers) are indexed as a unit and
 *   by their words. If they are joined by hyphens, underscores or humps, the joiners do not matter: `AX-200`,
 *   `ax200`; `get_name`, `getName`; `e-mail`, `email`. E-mail addresses are also indexed by account and by
 *   host, hosts by their last two names, versions by their first two numbers, with or without `v`; initials
 *   as one word (`U.S.A.`, `usa`).
 * - `1,234,567` is `1234567`; `3.14` is indexed only as itself.
 * - Scripts without spaces: see {@link addByScript}; other scripts are indexed by whole words.
 *
 * `length` is the number of terms that the text would have as a question, so that neither the single
 * characters of Chinese nor the humps of identifiers make a chunk appear long to BM25.
 *
 * A term has at most `MAX_TERM_LENGTH` code units. Time is linear in the text, for any content.
 */
export function indexedTerms(text: string, stem: Stem = stemWord): IndexedTerms {
  return termsOfMarked(markCapitalNames(text), stem);
}

/**
 * {@link indexedTerms} for a text, or for a part of it between white space, that {@link markCapitalNames} has
 * marked.
 */
export function termsOfMarked(marked: string, stem: Stem): IndexedTerms {
  const terms: string[] = [];
  let length = 0;
  const add = (term: string): void => {
    terms.push(boundedTerm(term));
    length++;
  };
  addTerms(marked, createTermSink({ stem, add, addExtra: (term) => terms.push(boundedTerm(term)) }));
  return { terms, length };
}

/** The terms of {@link indexedTerms}. */
export function indexTerms(text: string, stem: Stem = stemWord): readonly string[] {
  return indexedTerms(text, stem).terms;
}

/** The terms of a question: like {@link indexTerms}, without the extras of chunks. */
export function queryTerms(text: string, stem: Stem = stemWord): readonly string[] {
  const terms: string[] = [];
  const add = (term: string): void => {
    terms.push(boundedTerm(term));
  };
  addTerms(markCapitalNames(text), createTermSink({ stem, add, addExtra() {} }));
  return terms;
}

function addTerms(marked: string, sink: TermSink): void {
  for (const found of compoundsOf(marked)) {
    const compound = found.words.length > 1 ? withoutContraction(found) : found;
    if (compound.words.length > 1) addCompound(compound, sink);
    else for (const word of compound.words) sink.addWord(word);
    if (compound.symbolForm !== "") sink.add(compound.symbolForm);
  }
}

/**
 * `Ann's` → `Ann`, `we'll` → `we`. `don't` and similar words are auxiliaries, all stop words, and are
 * removed.
 */
function withoutContraction(compound: Compound): Compound {
  const { text, words } = compound;
  const last = words.at(-1) ?? "";
  if (!CONTRACTED.has(last) || !text.endsWith(`'${last}`)) return compound;
  const isAuxiliary = words.length === 2 && last === "t" && words[0]?.endsWith("n") === true;
  return {
    ...compound,
    text: text.slice(0, -last.length - 1),
    words: isAuxiliary ? [] : words.slice(0, -1),
  };
}
