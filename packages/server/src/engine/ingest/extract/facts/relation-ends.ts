/** Whether a clause says that the relation of its two things has ended: "left A", "moved from A to B", "former head of A". */
import { isFormOfBe, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";
import { type Clause, groupOf, isDone, isVerbal } from "./clause-verbs.ts";
import type { TimePhrase } from "./time-phrases.ts";

/** Of a clause with one of them, the other is a pronoun, or in another sentence. */
export interface RelatingClause extends Clause {
  readonly source: TokenRange | null;
  readonly target: TokenRange | null;
  /** Times beside it. */
  readonly phrases: readonly TimePhrase[];
}

/** Verbs whose object is what ends, and those that end something "from" or "as". */
const transitive = new Set("leave quit depart sell close discontinue dissolve divorce dismiss".split(" "));
const intransitive = new Set("resign retire depart withdraw quit leave step dismiss".split(" "));
const moving = new Set("move relocate transfer switch".split(" "));
/** Of these "from A" is where something came from; of others, as of "ousted" and "joined", A may be what is left. */
const gaining = new Set("buy acquire purchase receive inherit graduate get obtain".split(" "));
/** What they stop is not the relation itself. */
const stopping = new Set("end stop cease terminate cancel expire".split(" "));
/** What one leaves along with the firm: "left the firm", "left his post at A". */
const post = /^(?:post|job|role|position|office|seat|place|firm|company|business|club|party|team|school)$/;
const former = /^(?:former|formerly|ex|previous|previously|erstwhile)$/;

export type HowEnded =
  | "ended"
  | "former"
  /** The verb ends or leaves something else. */
  | "other"
  | null;

export function howEnded(clause: RelatingClause, verb: number): HowEnded {
  if (isFormer(clause)) return "former";
  const { tokens } = clause;
  if (isEndedState(clause)) return "other";
  const lemma = tokens[verb]?.lemma ?? "";
  const object = objectOf(clause, verb);
  const isFrom = object !== null && tokens[object.from - 1]?.lower === "from";
  if (moving.has(lemma) && isFrom)
    return isDone(tokens, verb) && isLeftForOther(tokens, object) ? "ended" : "other";
  if (stopping.has(lemma)) return "other";
  if (!transitive.has(lemma) && !intransitive.has(lemma))
    return isFrom && !gaining.has(lemma) ? "other" : null;
  if (object === null) return "other";
  const between = tokens.slice(verb + 1, object.from);
  // To whom something is sold, and for whom another is left, gains.
  const isGain = between.some(({ lower }) => lower === (lemma === "sell" ? "to" : "for"));
  if (isGain && /^(?:sell|leave)$/.test(lemma)) return isDone(tokens, verb) ? null : "other";
  const isWhole = isDone(tokens, verb) && isSubject(clause, verb) && isAllOfObject(clause, object);
  // "was sold A", but not "was sold by A" and "was dismissed from A"
  const isGiven = tokens.slice(groupOf(tokens, verb), verb).some(isFormOfBe) && between[0]?.tag !== "ADP";
  const isEnd = isWhole && !isGiven && isEndOf(lemma, between);
  return isEnd ? "ended" : "other";
}

/** "is retired from A": since when is not told. */
function isEndedState({ tokens, from, to }: RelatingClause): boolean {
  return tokens.slice(from, to).some(({ lower, tag }, at, words) => {
    return tag === "ADJ" && words[at + 1]?.lower === "from" && /^(?:retired|divorced|departed)$/.test(lower);
  });
}

/** The one that stands behind the verb. */
function objectOf({ source, target }: RelatingClause, verb: number): TokenRange | null {
  const behind = [source, target].filter((end) => end !== null && end.from > verb);
  return behind.length === 1 ? (behind[0] ?? null) : null;
}

function isEndOf(lemma: string, between: readonly TaggedToken[]): boolean {
  const words = between.filter(({ tag, lower }) => tag !== "ADV" && lower !== "down");
  const [first] = words;
  if (words.some(({ tag, text }) => isVerbal(tag) || text === ",")) return false;
  if (intransitive.has(lemma) && /^(?:from|as)$/.test(first?.lower ?? "")) return true;
  if (first?.lower === "by") return words.length === 1 && /^(?:sell|dismiss|divorce)$/.test(lemma);
  if (!transitive.has(lemma)) return false;
  const joint = words.findIndex(({ tag }) => tag === "ADP");
  const plain = joint < 0 ? words : words.slice(0, joint);
  const isPlain = plain.every(({ tag }) => /^(?:DET|ADJ|PRON|NOUN|NUM|PROPN)$/.test(tag));
  return isPlain && (joint < 0 || (joint > 0 && post.test(plain.at(-1)?.lower ?? "")));
}

/** Not "left A alone", "left A's board", "closed A for the winter", "left A and returned". */
function isAllOfObject({ tokens, phrases }: RelatingClause, { to }: TokenRange): boolean {
  if (
    tokens.some(
      ({ lower, lemma }) => /^(?:return|rejoin|resume|reopen|back|again)$/.test(lemma) || lower === "back",
    )
  )
    return false;
  const [next, after] = tokens.slice(to, to + 2);
  if (next === undefined || /^(?:[.,;:)]|and|to|after|following)$/.test(next.lower)) return true;
  return phrases.some(({ first }) => first === to) || (next.lower === "for" && after?.tag === "PROPN");
}

/** No other thing stands before the verb: "Ann's brother left A", "Ann said that Eva left A". */
function isSubject({ tokens, source, target }: RelatingClause, verb: number): boolean {
  const subject = [source, target].find((end) => end !== null && end.to <= verb);
  if (subject == null) return true;
  if (/^['’]s?$/.test(tokens[subject.to]?.lower ?? "")) return false;
  const group = groupOf(tokens, verb);
  const beside = tokens.findLastIndex(({ tag }, at) => at < group && tag !== "ADV");
  const { tag = "", lower = "" } = tokens[beside] ?? {};
  return beside < subject.to || !/^(?:NOUN|PROPN|PRON)$/.test(tag) || /^(?:who|which)$/.test(lower);
}

/** "from A to B" */
function isLeftForOther(tokens: readonly TaggedToken[], { to }: TokenRange): boolean {
  return tokens.slice(to, to + 3).some(({ lower }) => lower === "to");
}

/** "Ann, former head of A", "A's former head Ann"; not "head of the former A". */
function isFormer({ tokens, from, to, source, target }: RelatingClause): boolean {
  const [first, second] =
    source === null || target === null
      ? [null, null]
      : source.from < target.from
        ? [source, target]
        : [target, source];
  if (first === null || second === null) return false;
  const at = tokens.findIndex(({ lower }, index) => index >= from - 1 && index < to && former.test(lower));
  if (at < 0 || (at >= first.from && at < first.to) || at + 1 >= second.from) return false;
  const before = tokens.slice(first.to, at);
  const isOfAnother = before.some(({ tag }) => tag === "NOUN" || tag === "PROPN");
  const between = tokens.slice(Math.max(at + 1, first.to), second.from);
  // "former A head Ann", but not "the former A in B"
  if (at < first.from && between.at(-1)?.tag !== "NOUN") return false;
  const verbs = tokens.slice(from, second.from).filter(({ tag }) => isVerbal(tag));
  const isOfOne = between.every(({ tag, text }) => tag !== "PROPN" && !/^[(),;]$/.test(text));
  return !isOfAnother && isOfOne && verbs.every(isFormOfBe);
}

/** "and then left", "and left the firm": of the same subject, and of no other name. */
export function isEndedBy(tokens: readonly TaggedToken[]): boolean {
  const verb = tokens.findIndex(({ tag }) => isVerbal(tag));
  const joint = tokens.slice(0, verb).filter(({ tag }) => tag !== "ADV");
  const lemma = tokens[verb]?.lemma ?? "";
  return (
    (transitive.has(lemma) || /^(?:resign|retire|withdraw)$/.test(lemma)) &&
    isDone(tokens, verb) &&
    !tokens.slice(0, verb).some(({ lower }) => /^(?:never|not|nearly|almost|reportedly)$/.test(lower)) &&
    /^(?:and|but|,|until)$/.test(joint.at(-1)?.lower ?? "") &&
    tokens
      .slice(verb + 1)
      .every(({ tag, lower }) => /^(?:ADV|PRON|PUNCT|DET)$/.test(tag) || (tag === "NOUN" && post.test(lower)))
  );
}
