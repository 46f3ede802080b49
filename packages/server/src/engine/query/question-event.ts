/** The event by which a question names its time: "before the merger", "after she left the firm", "when he was minister". English only. */
import type { NamedEvent } from "../../domain/event.ts";
import { type Word, wordsOf } from "../text/date-patterns.ts";
import { normalizeDate } from "../text/dates.ts";
import { PAST_TENSE } from "../text/past-tense.ts";
import { contentTerms } from "./content-terms.ts";
import { placedDates } from "./dates-in-text.ts";
import { namesInQuestion } from "./dynamic/question-names.ts";
import { canBeTwoClauses, isOfVerb } from "./question-clauses.ts";
import { asksForTime, MAX_UNITS, MAX_WORDS, opens } from "./question-time.ts";

const CONNECTIVE =
  /(?<![\p{L}\p{N}])(?:before|prior to|until|after|following|when|while|during)(?![\p{L}\p{N}])/gu;
const RELATIONS: Readonly<Record<string, NamedEvent["relation"]>> = {
  ...{ before: "before", "prior to": "before", until: "before" },
  ...{ after: "after", following: "after" },
};
/** "shortly after" */
const CLOSELY = /[ ,]{1,4}(?:just|right|shortly|immediately|soon|long|and)$/;
const MARKS = /[?.! ]{1,8}$/;
const ASKING = /^(?:who|whom|whose|which|what|where|how|was|were|did|had|will)$/;
/** What is true at any time, or a question in itself. */
const OTHER = /^(?:is|are|am|has|do|does|can|could|must|should|shall|may|might|would)$/;
const PRONOUN = /^(?:he|she|it|they|him|her|them|his|hers|its|their|theirs)$/;
const SUBJECT = /^(?:he|she|it|they|i|we|you)$/;
/** "the Dutch office" */
const PHRASE = /(?<![\p{L}\p{N}])(?:the|an?|our|your|my|his|her|its|their) (?:[\p{L}\p{N}-]{1,40} ?){1,3}$/u;
const BEING = /^(?:was|were|been)$/;
const PARTICIPLE = /(?:ed|en|wn|rn|ilt|aid|ade|ought|old|und)$/;
const WORD = /\p{L}{3}/u;
const ARTICLE = /^(?:the|an?|its|his|her|their)$/;
const CAPITAL = /^[\p{Lu}\p{N}]/u;

interface Clauses {
  readonly main: string;
  readonly connective: string;
  /** Of the event, without its connective. */
  readonly clause: string;
}

/** null where the question names no event, or one that is of a part of it. */
export function eventOfQuestion(query: string): NamedEvent | null {
  if (query.length > MAX_UNITS) return null;
  const clauses = splitClauses(query.trim().replace(MARKS, ""));
  if (clauses === null) return null;
  const { main, connective, clause } = clauses;
  const [asked, told] = [wordsOf(main), wordsOf(clause)];
  if (!isOfPast(asked, connective) || asksForTime.test(main) || !isClause(told)) return null;
  const dates = placedDates(clause);
  const undated = dates.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`,
    clause,
  );
  if (dates.length > 1 || !contentTerms(undated).some((term) => WORD.test(term))) return null;
  const statement = stateOf(main, { clause, told, connective });
  return {
    text: `${connective} ${clause}`,
    relation: RELATIONS[connective] ?? "during",
    query: `When ${statement.text}?`,
    ...termsOf(`${statement.required} ${undated}`),
    isNoun: isNounOf(told),
    isState: isStateOf(wordsOf(statement.text)),
    given: dates[0] === undefined ? null : normalizeDate(dates[0].text),
  };
}

/** At its end, or before a comma at its beginning. */
function splitClauses(text: string): Clauses | null {
  const lower = text.replace(/^\p{Lu}/u, (first) => first.toLowerCase());
  const [found, ...more] = lower.matchAll(CONNECTIVE);
  if (found === undefined || more.length > 0) return null;
  const [connective] = found;
  const rest = text.slice(found.index + connective.length).trim();
  if (found.index > 0) {
    const main = text.slice(0, found.index).trim().replace(CLOSELY, "").replace(/,$/, "");
    return { main, connective, clause: rest };
  }
  const comma = rest.indexOf(", ");
  const main = rest.slice(comma + 2);
  const isQuestion = comma > 0 && opens.test(wordsOf(main)[0]?.lower ?? "");
  return isQuestion ? { main, connective, clause: rest.slice(0, comma) } : null;
}

function isOfPast(words: readonly Word[], connective: string): boolean {
  if (words.length === 0 || words.length > MAX_WORDS || canBeTwoClauses(words)) return false;
  // "Who is the street named after"
  if (connective === "after" && isOfVerb(words)) return false;
  return words.some(({ lower }) => ASKING.test(lower)) && !words.some(({ lower }) => OTHER.test(lower));
}

function isClause(words: readonly Word[]): boolean {
  const rest = SUBJECT.test(words[0]?.lower ?? "") ? words.slice(1) : words;
  const isOther = words.some(({ lower }) => OTHER.test(lower) || lower === "did");
  return rest.length > 0 && words.length <= MAX_WORDS && !isOther && !canBeTwoClauses(rest);
}

/** What is said to have happened, with the name of what is meant. `required`: what a sentence must say besides the clause. */
function stateOf(
  main: string,
  { clause, told, connective }: { clause: string; told: readonly Word[]; connective: string },
): { readonly text: string; readonly required: string } {
  // Behind a mark, the first word has a capital of its own.
  const [name] = namesInQuestion(`? ${main}`).map(({ start, end }) => `? ${main}`.slice(start, end));
  const pronoun = told.findIndex(({ lower }) => PRONOUN.test(lower));
  if (pronoun >= 0) {
    const thing = name ?? PHRASE.exec(main)?.[0] ?? "";
    const words = told.map(({ text }, at) => (at !== pronoun ? text : thing === "" ? text : thing));
    return { text: words.join(" "), required: name ?? "" };
  }
  const isNamed = told.some(({ text }) => CAPITAL.test(text));
  // "before the merger", of what is asked of
  if (!isNamed) return { text: name === undefined ? clause : `${clause} of ${name}`, required: name ?? "" };
  // "before Ada Stone": before what is asked was true of her.
  const isName = told.every(({ text }) => CAPITAL.test(text)) && RELATIONS[connective] !== undefined;
  const predicate = isName ? predicateOf(wordsOf(main)) : "";
  return { text: `${clause} ${predicate}`.trim(), required: predicate };
}

function predicateOf(words: readonly Word[]): string {
  const from = words.findLastIndex(({ lower }) => ASKING.test(lower) && !BEING.test(lower));
  const isNoun =
    /^(?:which|what|whose)$/.test(words[from]?.lower ?? "") && !BEING.test(words[from + 1]?.lower ?? "");
  return words
    .slice(from + (isNoun ? 2 : 1))
    .map(({ text }) => text)
    .join(" ");
}

function termsOf(text: string): Pick<NamedEvent, "names" | "terms"> {
  const [names, others] = [true, false].map((isName) =>
    wordsOf(text).flatMap((word) => (CAPITAL.test(word.text) === isName ? contentTerms(word.text) : [])),
  );
  return { names: [...new Set(names)], terms: [...new Set(others)] };
}

/** "the merger with Nordvik", but not "the mill burned" */
function isNounOf(words: readonly Word[]): boolean {
  return (
    ARTICLE.test(words[0]?.lower ?? "") &&
    !words.some(({ lower }) => BEING.test(lower) || PAST_TENSE.test(lower))
  );
}

/** "was minister", but not "was sold" */
function isStateOf(words: readonly Word[]): boolean {
  const at = words.findIndex(({ lower }) => BEING.test(lower));
  const next = words.slice(at + 1).find(({ lower }) => !lower.endsWith("ly") && !BEING.test(lower));
  return at >= 0 && next !== undefined && !PARTICIPLE.test(next.lower);
}
