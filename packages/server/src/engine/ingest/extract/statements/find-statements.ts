/** Reads open statements (who does what to whom) out of a tagged sentence. */

import type { Span, Statement } from "../../../../domain/graph.ts";
import { isHedged } from "./modality.ts";
import { endOfAside, endWithOf, findNounPhrases, type NounPhrases, phraseAt } from "./noun-phrases.ts";
import { isFormOfBe, spanOf, type TaggedToken, type TokenRange } from "./tagged-token.ts";
import { findUnsettledParts, overlaps } from "./unsettled-parts.ts";
import { findSubject, findVerbGroups, isVerb, type VerbGroup } from "./verb-groups.ts";

const MAX_STATEMENTS = 24;
const MAX_PREPOSITIONS = 3;

interface Clause {
  readonly tokens: readonly TaggedToken[];
  readonly nouns: NounPhrases;
  readonly verbs: VerbGroup;
}

/** A relation and its object as ranges of tokens. */
interface Reading {
  readonly verb: TokenRange;
  readonly object: TokenRange;
  readonly frame: string;
}

/**
 * Statements in the order of their verbs, at most 24. A statement over a preposition has its own reading, so
 * "was founded in 1990 by X" gives two. After the patterns of ReVerb (A. Fader, S. Soderland, O. Etzioni,
 * "Identifying Relations for Open Information Extraction", 2011), with clauses that share a subject and appositions.
 */
export function findStatements(tokens: readonly TaggedToken[], sentence: number): readonly Statement[] {
  const nouns = findNounPhrases(tokens);
  const unsettled = findUnsettledParts(tokens);
  const statements: Statement[] = [];
  let previous: { subject: number; end: number } | null = null;
  for (const verbs of findVerbGroups(tokens, nouns)) {
    if (statements.length >= MAX_STATEMENTS) break;
    const subject = findSubject({ tokens, nouns, previous }, verbs);
    const phrase = nouns.phrases[subject];
    if (phrase === undefined) continue;
    previous = { subject, end: verbs.to };
    const whole = { from: phrase.from, to: subjectEnd(tokens, nouns, subject) };
    const isDoubted =
      isHedged(tokens, verbs, Math.min(phrase.from, verbs.from)) ||
      [whole, verbs].some((range) => overlaps(unsettled, range));
    const span = spanOf(tokens, whole);
    for (const reading of readClause({ tokens, nouns, verbs })) {
      statements.push({
        ...toStatement(tokens, { sentence, subject: span, reading }),
        isNegated: verbs.isNegated || isDeniedSubject(tokens, phrase),
        isHedged: isDoubted || overlaps(unsettled, reading.object),
      });
    }
  }
  statements.push(...readAppositions(tokens, nouns, { sentence, unsettled }));
  return statements.slice(0, MAX_STATEMENTS);
}

/** "Neither A nor B makes", "No firm makes". */
function isDeniedSubject(tokens: readonly TaggedToken[], { from }: TokenRange): boolean {
  return [tokens[from - 1], tokens[from]].some(
    (token) => token !== undefined && /^(?:neither|nor|no)$/.test(token.lower),
  );
}

function subjectEnd(tokens: readonly TaggedToken[], nouns: NounPhrases, subject: number): number {
  return endWithOf(tokens, nouns, subject);
}

interface Found {
  readonly sentence: number;
  readonly subject: Span;
  readonly reading: Reading;
}

function toStatement(tokens: readonly TaggedToken[], { sentence, subject, reading }: Found): Statement {
  return {
    sentence,
    subject,
    verb: spanOf(tokens, reading.verb),
    object: spanOf(tokens, reading.object),
    frame: reading.frame,
    isNegated: false,
    isHedged: false,
  };
}

function readClause(clause: Clause): readonly Reading[] {
  const { tokens, nouns, verbs } = clause;
  let at = verbs.to;
  while (tokens[at]?.tag === "ADV" && at < verbs.to + 2) at++;
  const object = phraseAt(nouns, at);
  if (object !== null) {
    const to = objectEnd(clause, at);
    const reading = {
      verb: { from: verbs.from, to: verbs.to },
      object: { from: at, to },
      frame: frameOf(clause),
    };
    return [reading, ...readPrepositions(clause, to, { hasObject: true })];
  }
  const isPredicate = tokens[at]?.tag === "ADJ" && isFormOfBeAt(clause);
  if (isPredicate) return readAdjective(clause, at);
  return readPrepositions(clause, prepositionOfRow(clause, at) ?? at);
}

/** "written and illustrated by X", "born and raised in Y": where the first preposition of a row of participles is. */
function prepositionOfRow(clause: Clause, from: number): number | null {
  const to = objectOfRow(clause, from) ?? from;
  const { tokens } = clause;
  // "grew up in": the last of two.
  const at = tokens.findIndex(
    ({ tag }, place) => place >= from && place < to && tag === "ADP" && tokens[place + 1]?.tag !== "ADP",
  );
  return at >= 0 && (tokens[at]?.lower === "by" || hasFormOfBe(clause)) ? at : null;
}

/** "directed by and starring X": where the object begins that the verbs of a row share; null where no row begins. */
function objectOfRow({ tokens, nouns }: Clause, from: number): number | null {
  if (tokens[from]?.text !== "," && tokens[from]?.tag !== "CCONJ") return null;
  let at = from;
  while (/^(?:VERB|ADP|CCONJ)$/.test(tokens[at]?.tag ?? "") || tokens[at]?.text === ",") at++;
  const isRow = tokens.slice(from, at).some(({ tag }) => tag === "VERB");
  return isRow && phraseAt(nouns, at) !== null ? at : null;
}

function isFormOfBeAt({ tokens, verbs }: Clause): boolean {
  const head = tokens[verbs.head];
  return head !== undefined && isFormOfBe(head);
}

function readAdjective(clause: Clause, from: number): readonly Reading[] {
  const { tokens, verbs } = clause;
  let to = from;
  while (tokens[to]?.tag === "ADJ" || tokens[to]?.tag === "ADV") to++;
  const adjective = tokens[to - 1]?.lemma ?? "";
  const plain = { verb: { from: verbs.from, to: verbs.to }, object: { from, to }, frame: frameOf(clause) };
  return [plain, ...readPrepositions(clause, to, { adjective })];
}

interface BeforePrepositions {
  readonly adjective?: string;
  readonly hasObject?: boolean;
}

/** "… in A by B": a reading for each preposition, all of the same verb. */
function readPrepositions(
  clause: Clause,
  from: number,
  { adjective, hasObject = false }: BeforePrepositions = {},
): readonly Reading[] {
  const { tokens, nouns, verbs } = clause;
  const readings: Reading[] = [];
  let isDone = hasObject && !hasFormOfBe(clause);
  let at = from;
  let verb = { from: verbs.from, to: from };
  while (readings.length < MAX_PREPOSITIONS) {
    // "taken over by": the first of two belongs to the verb.
    const particle =
      tokens[at]?.tag === "ADP" && tokens[at + 1]?.lower === "by" ? tokens[at]?.lower : undefined;
    if (particle !== undefined) at++;
    const preposition = tokens[at];
    if (preposition?.tag !== "ADP" && preposition?.lower !== "to") break;
    const isAgent = preposition.lower === "by";
    const begin = phraseAt(nouns, at + 1) !== null ? at + 1 : isAgent ? objectOfRow(clause, at + 1) : null;
    if (begin === null) break;
    const to = objectEnd(clause, begin);
    // "directed by A from a screenplay by B": the verb has its agent, so B is of the screenplay.
    if (isAgent && isDone && tokens[at - 1]?.lower !== "and") {
      at = to;
      continue;
    }
    isDone ||= isAgent;
    const frame = [frameOf(clause, preposition.lower), adjective, particle, preposition.lower];
    // "in A and in B": both are told of the verb alone.
    if (tokens[at - 1]?.lower !== "and") verb = { from: verbs.from, to: at + 1 };
    readings.push({
      verb,
      object: { from: begin, to },
      frame: frame.filter((part) => part !== undefined).join(" "),
    });
    const isRepeated = tokens[to]?.lower === "and" && tokens[to + 1]?.lower === preposition.lower;
    at = isRepeated ? to + 1 : to;
  }
  return readings;
}

/** "is", "was given", "has been given". */
function hasFormOfBe({ tokens, verbs }: Clause): boolean {
  return tokens.slice(verbs.from, verbs.to).some(isFormOfBe);
}

/** The end of an object with its "of …" and with what is listed after it: "A, B and C". */
function objectEnd({ tokens, nouns }: Clause, from: number): number {
  let end = endWithOf(tokens, nouns, nouns.phraseOf[from] ?? -1);
  for (let steps = 0; steps < 6; steps++) {
    const aside = endOfAside(tokens, end);
    let next = aside;
    if (tokens[next]?.text === ",") next++;
    if (tokens[next]?.lower === "and" || tokens[next]?.lower === "or") next++;
    if (next === aside || phraseAt(nouns, next) === null) break;
    const to = endWithOf(tokens, nouns, nouns.phraseOf[next] ?? -1);
    if (isVerb(tokens[to])) break;
    end = to;
  }
  return end;
}

const auxiliaries = new Set([
  "have",
  "do",
  "will",
  "would",
  "can",
  "could",
  "may",
  "might",
  "shall",
  "should",
  "must",
]);

/** Lemmas of the group without auxiliaries; "be" stays before a participle, and is put there where it is left out. */
function frameOf({ tokens, verbs }: Clause, preposition?: string): string {
  const group = tokens.slice(verbs.from, verbs.to).filter(isVerb);
  const head = group.at(-1);
  if (head === undefined) return "";
  const before = group.slice(0, -1).filter((token) => !auxiliaries.has(token.lemma));
  const lemmas = before.map((token) => (isFormOfBe(token) ? "be" : token.lemma));
  const isReduced =
    group.length === 1 && (preposition === "by" || head.lower === "born") && !isFormOfBe(head);
  const isProgressive = head.lower.endsWith("ing");
  const kept = isProgressive ? lemmas.filter((lemma) => lemma !== "be") : lemmas.slice(-2);
  return [...(isReduced ? ["be"] : []), ...new Set(kept), lemmaOf(head)].join(" ");
}

/** The tagger's lemma of "born" is itself. */
function lemmaOf(token: TaggedToken): string {
  if (token.lower === "born") return "bear";
  return isFormOfBe(token) ? "be" : token.lemma;
}

/** "X, a Y of Z," says that X is a Y. */
function readAppositions(
  tokens: readonly TaggedToken[],
  nouns: NounPhrases,
  { sentence, unsettled }: { readonly sentence: number; readonly unsettled: Uint8Array },
): readonly Statement[] {
  const found: Statement[] = [];
  for (const phrase of nouns.phrases) {
    const comma = tokens[phrase.to];
    const article = tokens[phrase.to + 1];
    if (comma?.text !== "," || tokens[phrase.to - 1]?.tag !== "PROPN") continue;
    const aside = phraseAt(nouns, phrase.to + 1);
    if (article === undefined || aside === null) continue;
    // "Ada Holt, founder of Kestrel,": a role needs no article where it is one of something.
    const isRole = tokens[aside.to]?.lower === "of";
    if (!/^(?:an?|the)$/.test(article.lower) && !(isRole && isOneOf(tokens, aside))) continue;
    const to = appositionEnd(tokens, nouns, phrase.to + 1);
    const after = tokens[to];
    if (after !== undefined && after.text !== "," && after.text !== ".") continue;
    const reading = {
      verb: { from: phrase.to, to: phrase.to + 1 },
      object: { from: phrase.to + 1, to },
      frame: "be",
    };
    const statement = toStatement(tokens, { sentence, subject: spanOf(tokens, phrase), reading });
    found.push({ ...statement, isHedged: overlaps(unsettled, { from: phrase.from, to }) });
  }
  return found;
}

/** In the singular, and not the first of a list: "Oslo, capital of Norway,", but not "Oslo, parts of Norway and …". */
function isOneOf(tokens: readonly TaggedToken[], { from, to }: TokenRange): boolean {
  const words = tokens.slice(from, to);
  return (
    words.length <= 3 &&
    words.every(({ tag, text }) => /^(?:NOUN|ADJ)$/.test(tag) || /^C[A-Z]O$/.test(text)) &&
    !/s$/.test(words.at(-1)?.lower ?? "")
  );
}

function appositionEnd(tokens: readonly TaggedToken[], nouns: NounPhrases, from: number): number {
  let end = nouns.phrases[nouns.phraseOf[from] ?? -1]?.to ?? from;
  for (let steps = 0; steps < 4 && tokens[end]?.tag === "ADP" && tokens[end]?.lower !== "by"; steps++) {
    const next = phraseAt(nouns, end + 1);
    if (next === null) break;
    end = next.to;
  }
  return end;
}
