/** What an answer says, and how sure it is that it answers: the rule that the headings of the page follow. */
import type { QueryResult } from "@kcs/sdk";
import { type AnswerPath, answerPaths } from "./answer-path.ts";
import { readSummary, relevanceOf } from "./answer-words.ts";
import { type CitedPart, type CitedPlace, citedParts } from "./citations.ts";
import { contentWords } from "./question-words.ts";
import { asksForPlace, isSaid, placesOfLife, unsaidWords, withoutDates } from "./unsaid-words.ts";

export interface QuotedPath extends AnswerPath {
  readonly place: CitedPlace;
  readonly document: string;
  /** The graph has a relationship for each name, and the question asks for it: "director" for "directed by". */
  readonly isAsked: boolean;
}

export interface AnswerRead {
  /**
   * found: it answers. perhaps: it may, by passages that are perhaps relevant. unsure: nothing says that it does. none: nothing answers.
   * unknown: nobody can tell. empty: there is no passage.
   */
  readonly kind: "found" | "perhaps" | "unsure" | "none" | "unknown" | "empty";
  /** What is said instead of an answer; "" where there is one. */
  readonly statement: string;
  /** The sentences of the answer, or those that come nearest to one. */
  readonly text: string;
  readonly parts: readonly CitedPart[];
  readonly paths: readonly QuotedPath[];
  /** One of them is of asked relationships, to the sentence with which the answer begins. */
  readonly isReached: boolean;
  /** It begins with what people have stated, which no document need say. */
  readonly isStated?: true;
}

/** The service dates two things by sentences that it quotes (docs/api.md). */
const verdict = /^Going by these sentences, /;
/** A model for answers has read the passages and found one (docs/local-models.md). */
const foundByModel = /_answer(?:_|$)/;
/** Sentences of the documents are quoted. What a language model writes may be one word. */
const quoting = /^(?:hybrid|dynamic_builtin)/;

/**
 * What people have stated counts first, then what the service states: that nothing answers, a verdict, the answer that a configured model found. Then a path of asked
 * relationships to the sentence with which the answer begins, whose passage need not be like the question. Anything else is as sure as the best
 * passage is relevant, in the words of the passages.
 */
export function readAnswer(result: QueryResult, query: string): AnswerRead {
  const { chunks } = result.results;
  const { stated, quoted } = partStated(result);
  const { kind, statement, text } = readSummary(quoted);
  const parts = citedParts(text, chunks);
  if (stated !== "") {
    // What comes nearest to an answer is none beside one.
    const further = kind === "said" ? parts : [];
    const all = [{ text: further.length === 0 ? stated : `${stated}\n`, places: [] }, ...further];
    return {
      kind: "found",
      statement: "",
      text: all.map((part) => part.text).join(""),
      parts: all,
      paths: [],
      isReached: false,
      isStated: true,
    };
  }
  if (kind !== "said") return { kind, statement, text, parts, paths: [], isReached: false };
  const paths = quotedPaths(result, { query, parts });
  const first = parts[0]?.places[0]?.chunk;
  const isStated = verdict.test(text) || foundByModel.test(result.strategy_used);
  const isReached = paths.some(({ place, isAsked }) => isAsked && place.chunk === first);
  const best = Math.max(...chunks.map(({ similarity }) => similarity));
  const relevance = isStated || isReached || chunks.length === 0 ? "high" : relevanceOf(best);
  const answer = { text, parts, paths, isReached };
  if (relevance === "high") return { kind: "found", statement: "", ...answer };
  if (relevance === "some") return { kind: "perhaps", statement: "", ...answer };
  return {
    kind: "unsure",
    statement: "No passage that was found is closely related to the question.",
    ...answer,
  };
}

/** What people have stated, and the rest of the summary. Only the answer's own list tells the one from sentences of documents that look like it. */
function partStated({ stated = [], results }: QueryResult): {
  readonly stated: string;
  readonly quoted: string;
} {
  const lines = results.summary.split("\n");
  const isIn =
    stated.length > 0 &&
    lines.slice(0, stated.length).every((line) => line.startsWith("Stated by a person: "));
  if (isIn)
    return {
      stated: lines.slice(0, stated.length).join("\n"),
      quoted: lines.slice(stated.length).join("\n"),
    };
  // Beside what a language model wrote.
  const told = stated.map(
    ({ source, type, target }) =>
      `Stated by a person: ${source} – ${type.replaceAll("_", " ").toLowerCase()} – ${target}.`,
  );
  return { stated: told.join("\n"), quoted: results.summary };
}

/** What a dynamic question followed to get to the quoted passages. */
function quotedPaths(
  { results: { chunks, relationships }, steps = [] }: QueryResult,
  { query, parts }: { readonly query: string; readonly parts: readonly CitedPart[] },
): readonly QuotedPath[] {
  const quotes = parts.flatMap(({ text, places }) =>
    places.flatMap((place) => {
      const { chunk_id: chunkId, source_doc_id: document } = chunks[place.chunk] ?? {};
      return chunkId === undefined || document === undefined
        ? []
        : [{ chunkId, document, place, sentence: text }];
    }),
  );
  const asked = contentWords(query);
  return answerPaths(steps, quotes, { query, relationships }).flatMap((path) => {
    const quote = quotes.find(({ chunkId }) => chunkId === path.chunkId);
    const isAsked = path.hops.every(({ relation }) =>
      contentWords(relation ?? "").some((word) => isSaid(word, asked)),
    );
    return quote === undefined ? [] : [{ ...path, place: quote.place, document: quote.document, isAsked }];
  });
}

/** What a question asks for and an answer in sentences of the documents does not mention. Nothing of what is no answer, or not all there yet. */
export function unsaidIn(
  { result, isComplete }: { readonly result: QueryResult; readonly isComplete: boolean },
  { kind, text, parts }: Pick<AnswerRead, "kind" | "text" | "parts">,
  question: string,
): readonly string[] {
  if (!isComplete || !quoting.test(result.strategy_used)) return [];
  if (kind !== "found" && kind !== "perhaps" && kind !== "unsure") return [];
  const { chunks } = result.results;
  // One search follows no names: what it quotes of somebody else says nothing of what is asked.
  const isAbout = createIsAbout(question, chunks);
  const isOwn = ({ text, places }: CitedPart) =>
    isAbout(text) || places.some(({ chunk }) => isAbout(chunks[chunk]?.text ?? ""));
  const others = parts.filter((part) => !isOwn(part));
  const isOneSearch = result.strategy_used.startsWith("hybrid") && others.length < parts.length;
  const own = isOneSearch ? parts.filter((part) => !others.includes(part)).map((part) => part.text) : [text];
  return unsaidWords(question, own.join("\n"));
}

/** Whether a text is about what the question names, or, where it asks for somebody else, begins with a name that stands beside it. */
function createIsAbout(
  question: string,
  chunks: readonly { readonly text: string }[],
): (text: string) => boolean {
  const speaksOf = createSpeaksOf(question);
  const near = indirect.test(question)
    ? chunks.filter(({ text }) => speaksOf(text)).map(({ text }) => text)
    : [];
  return (text) => speaksOf(text) || isNamedIn(subjectOf(text), near);
}

/** "the director of Red Mill", "Red Mill's director": somebody else than what is named. */
const indirect = /\bthe \p{Ll}[\p{Ll} -]{1,60} of \p{Lu}|\p{L}['’]s \p{Ll}/u;
const article = /^(?:The|An?) /;
const subject = /^\P{L}{0,5}(\p{Lu}[\p{L}'’.-]{0,40}(?: \p{Lu}[\p{L}'’.-]{0,40}){0,5})/u;

/** The last word of the name with which a sentence or a passage begins; "" where it begins otherwise. */
function subjectOf(text: string): string {
  return subject.exec(text)?.[1]?.split(" ").at(-1) ?? "";
}

/** A sentence can begin with "He" or "The". */
function isNamedIn(word: string, texts: readonly string[]): boolean {
  return contentWords(word).length > 0 && texts.some((text) => text.includes(word));
}

/**
 * Says plainly that the things are not said: by no passage, or by one that is not quoted for it and also has a name of the question. Passages are
 * counted from 1, as they are listed. `quoted`: all sentences that are shown, also of others.
 */
export function unsaidStatement(
  things: readonly string[],
  question: string,
  { chunks, quoted }: { readonly chunks: readonly { readonly text: string }[]; readonly quoted: string },
): string {
  const isPlaceAsked = asksForPlace(question);
  const named = things
    .map((thing) => (isPlaceAsked ? placesOfLife.get(thing) : undefined) ?? `“${thing}”`)
    .join(" or ");
  const says = ({ text }: { readonly text: string }) => {
    const words = contentWords(isPlaceAsked ? withoutDates(text) : text);
    return things.some((thing) => isSaid(thing, words));
  };
  const speaksOf = createSpeaksOf(question);
  // Of somebody else than what is named, a passage that begins with another name would be a wrong answer, unless a passage joins both names.
  const titles = titlesIn(question);
  const beginsWith = (text: string) =>
    titles.some((title) => lastWordOf(title) === subjectOf(text)) ||
    chunks.some(
      (other) =>
        other.text !== text &&
        titles.some((title) => other.text.includes(title.replace(article, ""))) &&
        isNamedIn(subjectOf(text), [other.text]),
    );
  const isMeant = indirect.test(question) ? beginsWith : speaksOf;
  const at = chunks.findIndex((chunk) => says(chunk) && isMeant(chunk.text));
  const [name] = titles;
  const about = name !== undefined && says({ text: quoted }) ? ` about “${name}”` : "";
  if (at >= 0) return `The quoted sentences${about} do not mention ${named}. Passage ${at + 1} does.`;
  const of = chunks.some(says) && name !== undefined ? ` with “${name}”` : "";
  return `No passage that was found mentions ${named}${of}.`;
}

/** Whether a text has the last word of a name in the question, as those of people, but no "After" of a title; true for a question without names. */
function createSpeaksOf(question: string): (text: string) => boolean {
  const last = namesIn(question).map(lastWordOf);
  return (text) => last.length === 0 || last.some((word) => text.includes(word));
}

function lastWordOf(name: string): string {
  return name.split(" ").findLast((word) => contentWords(word).length > 0) ?? name;
}

/** Words with capitals beside each other, but for the first word. */
function namesIn(question: string): readonly string[] {
  const written = question.match(
    /(?<=\s)\p{Lu}[\p{L}\p{N}'’.-]{0,60}(?:\s\p{Lu}[\p{L}\p{N}'’.-]{0,60}){0,8}/gu,
  );
  return (written ?? []).map(withoutEnd);
}

function withoutEnd(name: string): string {
  return name.replace(/['’]s$|[.,]$/u, "").replace(/ (?:in|from|of|by|since) \d{4}$/, "");
}

/** Whole names, with the small words in them, as of films. */
function titlesIn(question: string): readonly string[] {
  const written = question.match(
    /(?<=\s)\p{Lu}[\p{L}\p{N}'’.-]{0,60}(?:\s(?:(?:of|the|and|a|an|in|to|for|with|on|at|from|by|de|la|&)\s){0,2}[\p{Lu}\p{N}][\p{L}\p{N}'’.-]{0,60}){0,8}/gu,
  );
  return (written ?? []).map(withoutEnd);
}

/** Whether there is something to read that is not plainly the answer: then step by step may find more than one search. */
export function isOpen(kind: AnswerRead["kind"], unsaid: readonly string[]): boolean {
  return kind !== "empty" && (kind !== "found" || unsaid.length > 0);
}

/** The passages that the asked paths go over, as places in the list of chunks. */
export function passagesOn(
  paths: readonly QuotedPath[],
  chunks: readonly { readonly chunk_id?: string | undefined }[],
): ReadonlySet<number> {
  return new Set(
    paths
      .filter(({ isAsked }) => isAsked)
      .flatMap(({ place, hops }) => [
        place.chunk,
        ...hops.map(({ from }) => chunks.findIndex(({ chunk_id: id }) => id === from.chunk_id)),
      ])
      .filter((at) => at >= 0),
  );
}
