/** Reads one noun phrase: its determiner, its head, and what is part of its name. */
import { isIngForm, isModifier, isNounTag, mayBeginCompound } from "./mend-tags.ts";
import { type NounPhrase, type Phrase, reference } from "./phrase.ts";
import type { TaggedWord } from "./tagged-word.ts";
import { isInvariable, isPlural, singular } from "./word-forms.ts";

/** A phrase, and where the words behind it begin. */
export interface Read {
  readonly phrase: Phrase | null;
  readonly to: number;
}

const POSSESSIVES: ReadonlySet<string> = new Set([
  "their",
  "its",
  "his",
  "her",
  "our",
  "my",
  "your",
  "whose",
]);
const PRONOUNS: ReadonlySet<string> = new Set(
  (
    "i we you he she it they me us him them everyone someone anyone somebody nobody everybody anybody each both all one ones others " +
    "another these those this something everything nothing anything some there"
  ).split(" "),
);

/** Say only how many or how good. */
const NO_KIND: ReadonlySet<string> = new Set(
  (
    "several typical individual specific basic additional original final total actual general special initial internal " +
    "external global local essential potential crucial partial similar particular regular popular various public " +
    "primary necessary temporary contemporary real overall central critical ideal normal usual natural historical historic " +
    "logical practical automatic dynamic realistic secondary ordinary professional traditional optional national " +
    "international regional personal substantial unusual relevant new old big small large good bad great long short young early late " +
    "first second third main key important different certain single whole current previous next last low high major minor " +
    "right wrong earlier later many few much such own following further extra related interesting complete full simple"
  ).split(" "),
);

export function readNoun(words: readonly TaggedWord[], from: number): Read | null {
  const first = words[from];
  if (first === undefined) return null;
  let at = from;
  let determiner: string | null = null;
  const read: TaggedWord[] = [];
  let isHeaded = false;
  for (let word = words[at]; word !== undefined; word = words[++at]) {
    const isNoun = isNounTag(word);
    if (isHeaded && !isNoun) break;
    if (isNoun) {
      // "which measures cities take": no compound begins with a plural, but for a few.
      if (isHeaded && endsPhrase(read.at(-1), word)) break;
      read.push(word);
      isHeaded = true;
    } else if (word.tag === "VERB" && isModifier(words, at)) read.push(word);
    else if (
      word.tag === "DET" ||
      word.tag === "NUM" ||
      POSSESSIVES.has(word.lower) ||
      /^wh(?:at|ich)$/.test(word.lower)
    ) {
      if (read.length > 0) break;
      determiner ??= word.lower;
    } else if (word.tag === "ADJ") read.push(word);
    else if (word.tag === "ADV" && determiner !== null && /^(?:NOUN|ADJ)$/.test(words[at + 1]?.tag ?? ""))
      continue;
    else break;
  }
  // "a vintage,": what an article introduces is a noun, whatever the tagger says.
  if (!isHeaded && determiner !== null && read.length > 0 && !/^(?:VERB|AUX)$/.test(words[at]?.tag ?? "")) {
    if (/^(?:other|same|following|more|next|last)$/.test(read.at(-1)?.lower ?? ""))
      return { phrase: reference("others"), to: at };
    return { phrase: nounPhrase(read, determiner), to: at };
  }
  if (isHeaded && /^others?$/.test(read.at(-1)?.lower ?? "")) return { phrase: reference("others"), to: at };
  if (isHeaded) return { phrase: nounPhrase(read, determiner), to: at };
  const pronoun = first.lower;
  return PRONOUNS.has(pronoun) ? { phrase: reference(pronoun), to: from + 1 } : null;
}

function endsPhrase(head: TaggedWord | undefined, next: TaggedWord): boolean {
  return head !== undefined && isPlural(head.lower) && !mayBeginCompound(head.lower) && isPlural(next.lower);
}

const MAX_TYPE_WORDS = 4;

function nounPhrase(read: readonly TaggedWord[], determiner: string | null): NounPhrase {
  const last = read.at(-1);
  // "MPs"
  const head = /^\p{Lu}{2,}s$/u.test(last?.text ?? "")
    ? (last?.lower ?? "").slice(0, -1)
    : (last?.lower ?? "");
  const isMany = isPlural(head) || head !== last?.lower || (determiner === null && isInvariable(head));
  const isNaming = (word: TaggedWord) =>
    isNounTag(word) || word === last || (word.tag === "VERB" && isIngForm(word));
  let start = read.length - 1;
  while (start > 0 && read.length - start < MAX_TYPE_WORDS && isNaming(read[start - 1]!)) start--;
  const lower = read.map((word) => word.lower);
  const isCounted =
    determiner !== null && /^(?:an?|each|every|which|what|any|all|many|some)$/.test(determiner);
  return {
    kind: "noun",
    words: [...lower.slice(start, -1), singular(head)],
    qualifiers: lower
      .slice(0, start)
      .filter((word) => !NO_KIND.has(word) && !/^(?:other|others|more|same|own)$/.test(word)),
    head: singular(head),
    isPlural: isMany,
    determiner:
      determiner ?? (lower.some((word) => /^(?:other|several|many|few)$/.test(word)) ? "other" : null),
    // A capital inside of a sentence: "Customers" is a kind, "Ada" is somebody.
    isReference:
      read.every(({ tag }) => tag === "PROPN") &&
      !isMany &&
      !isCounted &&
      !/^\p{Lu}+$/u.test(last?.text ?? ""),
  };
}
