/** Things a question asks for of which the quoted sentences say nothing: a sign that they answer only a part of it. */
import { contentWords } from "./question-words.ts";

/** Words are known of English only. */
const english = /\b(?:what|who|whom|whose|where|when|which|why|how)\b/i;
const minCharacters = 4;
/** They say what kind of answer is wanted, and an answer need not repeat them. */
const kinds = new Set(
  (
    "place places country countries city cities town year years date name names person people kind type number many company " +
    "age cause colour color cost depth effect genre height language length level meaning nationality occupation origin part " +
    "population price profession purpose reason religion result role side size speed start subject title topic value weight width"
  ).split(" "),
);
/** Sentences speak of a thing with any word of its group. */
const groups: readonly (readonly string[])[] = [
  ["birth", "birthplace", "birthday", "born", "native"],
  ["death", "die", "died", "dies", "dead", "killed"],
  ["spouse", "wife", "wives", "husband", "married", "marriage", "widow"],
  ["author", "writer", "wrote", "written"],
  ["father", "mother", "parents", "son", "sons", "daughter", "child", "children"],
];
/** After “where” or “when”, answers need them; each with the end of a life that it is about. */
const verbsOfLife = new Map([
  ["born", 0],
  ["die", 1],
  ["died", 1],
  ["buried", null],
]);
/** “Maud Pell (3 May 1901, Orrin – 9 June 1970, Thorne)” */
const bracketOfName = /\p{Lu}[\p{L}.'’-]{0,40},?\s{0,2}\(([^()]{4,200})\)/gu;
const dash = /[–—]|\s-|-\s|-(?=\d{4})/;
const year = /\b\d{4}\b/;
const recentYears = /\b(?:1\d|20)\d{2}\b/g;
const month =
  /\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b/;
const months = new RegExp(month.source, "g");
const beginsWithDate = new RegExp(`^(?:\\d{1,2} )?${month.source}`);
const name = /\p{Lu}\p{L}/u;
/** "(born Maud Thorne; 3 May 1901)" */
const birthName = /\bborn \p{Lu}[^;,]{1,80}[;,]/u;
/** "born on 3 May 1901", "died in 1970", unless a place follows. */
const dateOfLife = new RegExp(
  `\\b(?:born|died)(?: on| in| around| about| circa| c\\.)? ` +
    `(?:the )?(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?:${month.source}\\.? )?(?:\\d{1,2}, ?)?\\d{4}\\b` +
    `(?!,? (?:in|at|near|to|into|as)\\b (?!\\d)|, ?\\p{Lu})`,
  "gu",
);
const articles = new Set(["the", "a", "an"]);
const possessives = new Set(["his", "her", "its", "their", "whose"]);
const possessive = /['’]s$/;
/** Verbs that stand before “of”, or after a noun, and do not end in “ed”. */
const verbs = new Set(
  "become born built consist dream hear heard know known made speak spoke taught tell think thought told won write written wrote".split(
    " ",
  ),
);

/**
 * Rather too few than too many: verbs are left out, since a whole answer often has another one, and so are the words of
 * names. Verbs of {@link verbsOfLife} count after “where” and “when”.
 */
export function unsaidWords(question: string, answer: string): readonly string[] {
  if (!english.test(question)) return [];
  const isPlaceAsked = asksForPlace(question);
  const years = (question.match(recentYears) ?? []).filter((asked) => isOtherYear(asked, answer));
  const [said, saidOfPlaces] = [
    contentWords(answer),
    contentWords(isPlaceAsked ? withoutDates(answer) : answer),
  ];
  const things = askedThings(question).filter(
    (thing) =>
      !isSaid(thing, verbsOfLife.has(thing) ? saidOfPlaces : said) &&
      !isInBracket(thing, answer, isPlaceAsked),
  );
  return [...new Set([...things, ...years])];
}

/** Whether the answer has years, of which none is the one that is asked for, nor begins or encloses a time that has it. */
function isOtherYear(asked: string, answer: string): boolean {
  const told: readonly string[] = answer.match(recentYears) ?? [];
  if (told.length === 0 || told.includes(asked)) return false;
  const spans = answer.matchAll(
    /\b(?:since|from|between)\b[^.;\n]{0,30}?\b((?:1\d|20)\d{2})\b|\b((?:1\d|20)\d{2})\s?[–-]/gi,
  );
  return !Array.from(spans).some(([, since, from]) => (since ?? from ?? "9999") <= asked);
}

/** What “where” asks for with a verb of {@link verbsOfLife}: a text can have the verb with a date alone. */
export const placesOfLife: ReadonlyMap<string, string> = new Map([
  ["born", "the place of birth"],
  ["die", "the place of death"],
  ["died", "the place of death"],
  ["buried", "the place of burial"],
]);

export function asksForPlace(question: string): boolean {
  return /\bwhere\b/i.test(question);
}

/** Without what has the date of a birth or a death and no place: "Maud Pell (born 3 May 1901)", "was born on 3 May 1901". */
export function withoutDates(text: string): string {
  return text
    .replace(/\([^()]{4,200}\)/gu, (bracket) => {
      const rest = bracket.replace(birthName, "").replaceAll(months, "");
      return year.test(bracket) && !name.test(rest) ? "" : bracket;
    })
    .replace(dateOfLife, "");
}

/** Whether brackets behind a name have the date, and the place if it is asked for, of a birth or a death. */
function isInBracket(verb: string, answer: string, isPlaceAsked: boolean): boolean {
  const end = verbsOfLife.get(verb) ?? null;
  if (end === null) return false;
  return Array.from(answer.matchAll(bracketOfName), ([, inside = ""]) => inside).some((inside) => {
    const ends = inside.split(dash).map((text) => text.trim());
    const isLife =
      ends.length === 2 ? ends.every((text) => year.test(text)) : beginsWithDate.test(inside.trim());
    const text = ends[end] ?? "";
    return isLife && year.test(text) && (!isPlaceAsked || name.test(text.replace(month, "")));
  });
}

function askedThings(question: string): readonly string[] {
  const given = question.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const words = given.map((word) => word.toLowerCase());
  const content = new Set(contentWords(question));
  return words.filter(
    (word, at) =>
      word === given[at] &&
      (word.length >= minCharacters || verbsOfLife.has(word)) &&
      content.has(word) &&
      !kinds.has(word) &&
      isAskedFor(words, at, content),
  );
}

/** “the capital of”, “place of birth”, “her husband”, “the director’s wife”, “where … born”. */
function isAskedFor(words: readonly string[], at: number, content: ReadonlySet<string>): boolean {
  const [word = "", before = "", beforeThat = "", after = ""] = [0, -1, -2, 1].map((by) => words[at + by]);
  if (verbsOfLife.has(word)) return words.slice(0, at).some((one) => one === "where" || one === "when");
  if (isVerb(word)) return false;
  if (before === "of" && kinds.has(beforeThat)) return true;
  if (after === "of")
    return [before, beforeThat].some((one) => articles.has(one) || isPossessive(one, content));
  return isPossessive(before, content) && (!content.has(after) || isVerb(after));
}

/** Not “who’s” and “it’s”. */
function isPossessive(word: string, content: ReadonlySet<string>): boolean {
  return possessives.has(word) || (possessive.test(word) && content.has(word));
}

function isVerb(word: string): boolean {
  return verbs.has(word) || word.endsWith("ed");
}

/** Whether one of the words is a form of it, or another word for it. */
export function isSaid(thing: string, said: readonly string[]): boolean {
  const group = groups.find((one) => one.includes(thing)) ?? [];
  return [thing, ...group].some((form) =>
    said.some((word) =>
      form.length < minCharacters ? word === form : word.startsWith(form.slice(0, minCharacters)),
    ),
  );
}
