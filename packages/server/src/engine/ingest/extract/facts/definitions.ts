/** Reads what a text says that a name is: "X is a film …", "X, a town in Y". */

import type { Span } from "../../../../domain/graph.ts";
import { findOpeningTitle } from "../relations/opening-title.ts";
import { isFormOfBe, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";
import { ANCHOR_NOUNS } from "../types/anchors.ts";
import type { OpenType } from "./open-types.ts";
import type { PassageSentence } from "./passage.ts";

const typeOfAnchor = {
  person: "Person",
  organization: "Organization",
  location: "Location",
  event: "Event",
  work: "Work",
  product: "Product",
} as const satisfies Readonly<Record<string, OpenType>>;

/** Nouns of several classes, or of too many things. */
const unclear = new Set(
  "game work group series show set title model character star figure party union state single report".split(
    " ",
  ),
);
const more: Readonly<Record<OpenType, string>> = {
  Person:
    "author engineer chemist physicist biologist mathematician economist historian activist diplomat guitarist drummer pianist rapper dancer comedian entrepreneur businessman businesswoman bishop priest nurse pilot farmer sculptor photographer screenwriter producer presenter cricketer footballer wrestler boxer swimmer cyclist",
  Organization:
    "agency orchestra airline brewery charity cooperative ngo nonprofit retailer subsidiary think-tank newspaper broadcaster",
  Location:
    "village hamlet suburb commune capital neighbourhood neighborhood peninsula municipality borough parish stream creek hill peak reservoir dam canal railway castle church cathedral temple palace theatre",
  Event: "battle war election festival championship tournament earthquake treaty",
  Work: "film novel album song poem painting play opera book sitcom documentary miniseries comic manga ballet symphony musical memoir",
  Product: "software app smartphone car aircraft rifle locomotive console processor",
};

const typeOfNoun: ReadonlyMap<string, OpenType> = new Map(
  [
    ...Object.entries(typeOfAnchor).flatMap(([anchor, type]) =>
      (ANCHOR_NOUNS.get(anchor as keyof typeof typeOfAnchor) ?? []).map((noun) => [noun, type] as const),
    ),
    ...(Object.keys(more) as OpenType[]).flatMap((type) =>
      more[type].split(" ").map((noun) => [noun, type] as const),
    ),
  ].filter(([noun]) => !unclear.has(noun)),
);

/** What a sentence that begins with a title calls it: "film" of "X: Y (2010) is a short film directed by Z". */
export interface TitleDefinition {
  readonly title: TokenRange;
  /** In small letters, the last of them first; none where the sentence says what was done to it: "is directed by". */
  readonly nouns: readonly string[];
  /** Lemma of what was done to it; null where the sentence says what it is. */
  readonly verb: string | null;
  /** The token behind the nouns. */
  readonly end: number;
}

const predicateReach = 14;

export function readTitleDefinition(tokens: readonly TaggedToken[]): TitleDefinition | null {
  const title = findOpeningTitle(tokens);
  if (title === null) return null;
  let at = title.to;
  if (/^["”]$/.test(tokens[at]?.text ?? "")) at++;
  if (tokens[at]?.text === "(") {
    while (at < tokens.length && tokens[at]?.text !== ")") at++;
    at++;
  }
  if (!/^(?:is|was)$/.test(tokens[at]?.lower ?? "")) return null;
  if (tokens[at + 1]?.tag === "VERB" && /^(?:by|in|on|at)$/.test(tokens[at + 2]?.lower ?? ""))
    return { title, nouns: [], verb: tokens[at + 1]?.lemma ?? null, end: at + 1 };
  if (!/^(?:an?|the|one)$/.test(tokens[at + 1]?.lower ?? "")) return null;
  const nouns: string[] = [];
  let end = at + 2;
  for (; end < Math.min(tokens.length, at + predicateReach); end++) {
    const token = tokens[end];
    if (token === undefined || isPredicateEnd(token, tokens[end + 1])) break;
    if (token.tag === "NOUN") nouns.unshift(token.lemma);
  }
  return { title, nouns, verb: null, end };
}

const makesWorks = new Set(
  "write direct publish produce compose release adapt perform premiere film animate".split(" "),
);

/** "The" belongs to the title of a work and to no other name: "The Glass Orchard is a novel", "the Museum of Clocks". */
export function hasOwnArticle({ nouns, verb }: TitleDefinition): boolean {
  const [noun] = nouns;
  return verb === null ? noun !== undefined && typeOfNoun.get(noun) === "Work" : makesWorks.has(verb);
}

/** The title that a sentence begins with and calls a work, whatever words it has: "Mr. Reed Comes Back is a film"; null without. */
export function findWorkTitle(tokens: readonly TaggedToken[]): TokenRange | null {
  const definition = readTitleDefinition(tokens);
  if (definition === null || !hasOwnArticle(definition)) return null;
  const joint = tokens[definition.end];
  const isJoint = joint?.tag === "CCONJ" || joint?.text === ",";
  return isJoint && listsNouns(tokens[definition.end + 1]) ? null : definition.title;
}

/** "a film, television and stage [director]": the last of the nouns tells. */
const listsNouns = (next: TaggedToken | undefined) => /^(?:NOUN|ADJ|CCONJ)$/.test(next?.tag ?? "");

/** "animated" goes on before a noun, "directed" before "by" does not. */
function isPredicateEnd(token: TaggedToken, next: TaggedToken | undefined): boolean {
  if (token.tag === "VERB") return !/^(?:NOUN|ADJ|PROPN)$/.test(next?.tag ?? "");
  return !/^(?:NOUN|PROPN|ADJ|NUM|ADV)$/.test(token.tag) && !/^[-/"]$/.test(token.text);
}

/** By where the name begins, with its article and without: the type of the noun that the sentence calls it. */
export function readDefinitions({
  tokens,
  statements,
}: Pick<PassageSentence, "tokens" | "statements">): ReadonlyMap<number, OpenType> {
  const types = new Map<number, OpenType>();
  for (const { frame, subject, object, isNegated, isHedged } of statements) {
    if (frame !== "be" || isNegated || isHedged || types.has(subject.start)) continue;
    const inside = tokens.filter(({ start, end }) => start >= object.start && end <= object.end);
    if (!/^(?:an?|the|one)$/.test(inside[0]?.lower ?? "")) continue;
    const end = inside.findIndex(
      ({ tag, text }, at) => tag === "ADP" || tag === "VERB" || (text === "," && !listsNouns(inside[at + 1])),
    );
    const head = inside.slice(0, end < 0 ? inside.length : end).findLast(({ tag }) => tag === "NOUN");
    const type = head === undefined ? undefined : typeOfNoun.get(head.lemma);
    if (type === undefined) continue;
    types.set(subject.start, type);
    const at = tokens.findIndex(({ start }) => start >= subject.start);
    const name = tokens[at + 1];
    if (/^the$/.test(tokens[at]?.lower ?? "") && name?.tag === "PROPN") types.set(name.start, type);
  }
  return types;
}

/** "Her first novel, X, was published": the place of X, which the subject calls by its kind; null where nothing stands between two commas. */
export function asideBehind(tokens: readonly TaggedToken[], subject: Span): TokenRange | null {
  const comma = tokens.findIndex(({ start }) => start >= subject.end);
  if (tokens[comma]?.text !== "," || tokens[comma - 1]?.tag !== "NOUN") return null;
  const to = tokens.findIndex(({ text }, at) => at > comma && text === ",");
  return to > comma + 1 ? { from: comma + 1, to } : null;
}

/** By the tokens between the commas, "from to": the type of the noun before them. */
export function readAsides({
  tokens,
  statements,
}: Pick<PassageSentence, "tokens" | "statements">): ReadonlyMap<string, OpenType> {
  return new Map(
    statements.flatMap(({ subject }) => {
      const aside = asideBehind(tokens, subject);
      const type = aside === null ? undefined : typeOfNoun.get(tokens[aside.from - 2]?.lemma ?? "");
      return aside === null || type === undefined ? [] : [[`${aside.from} ${aside.to}`, type] as const];
    }),
  );
}

/** Words in small letters that a sentence begins with and calls a product, as names of software are written: "grepwell is a library …". */
export function findSmallNames(sentences: readonly PassageSentence[]): ReadonlySet<string> {
  return new Set(
    sentences.flatMap((sentence) => {
      const [first, verb] = sentence.tokens;
      const isSmall = first?.tag === "NOUN" && /^\p{Ll}+\d*$/u.test(first.text) && isFormOfBe(verb ?? first);
      return isSmall && readDefinitions(sentence).get(first.start) === "Product" ? [first.text] : [];
    }),
  );
}
