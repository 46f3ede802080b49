/** Finds what pronouns stand for. */
import { canBeType, isFramingSubject } from "./corpus.ts";
import type { NounPhrase, Phrase } from "./phrase.ts";

/** What was spoken of last. */
export interface Discourse {
  readonly subjects: readonly NounPhrase[];
  readonly objects: readonly NounPhrase[];
}

/** What a pronoun of a clause may stand for. */
export interface Spoken {
  readonly discourse: Discourse;
  /** The subjects of the sentence's main clause. */
  readonly main: readonly NounPhrase[];
  /** What the sentence names before the verb. */
  readonly named: readonly NounPhrase[];
  /** Nothing was said in the sentence yet: the discourse is of the one before. */
  readonly isFirst: boolean;
  /** What the pronouns before in the sentence stood for. */
  readonly pronouns: Map<string, readonly NounPhrase[]>;
}

type Nouns = readonly NounPhrase[];

/** What the sentence names before this place. */
export function namedBefore(phrases: readonly Phrase[], before: number): Nouns {
  return phrases
    .slice(0, before)
    .filter((phrase) => phrase.kind === "noun")
    .filter((noun) => canBeType(noun) && !isFramingSubject(noun));
}

const isMany = (pronoun: string) => /^(?:they|them|these|those|both|all|some)$/.test(pronoun);
const isOne = (pronoun: string) => /^(?:it|this|he|him|she|her)$/.test(pronoun);

/** The first of the candidates that fits in number, else the first one. */
function choose(pronoun: string, candidates: readonly Nouns[], { pronouns }: Spoken): Nouns | undefined {
  const kind = isMany(pronoun) ? "they" : isOne(pronoun) ? "it" : null;
  const same = kind === null ? undefined : pronouns.get(kind);
  const agrees = ({ isPlural }: NounPhrase) => kind === null || isPlural === (kind === "they");
  const fitting = candidates.filter((nouns) => nouns.length > 0);
  const again =
    fitting.length > 0 &&
    same !== undefined &&
    fitting.some((nouns) => nouns.some((noun) => same.includes(noun)))
      ? same
      : undefined;
  const found = again ?? fitting.find((nouns) => nouns.every(agrees)) ?? fitting[0];
  if (kind !== null && found !== undefined) pronouns.set(kind, found);
  return found;
}

const PRONOUN_SUBJECTS = /^(?:it|they|he|she|each|both|all|some|one|which)$/;

/** `asked`: what the clause asks for, which is not its subject. */
export function resolveSubject(noun: NounPhrase, asked: Nouns, spoken: Spoken): Nouns {
  if (!noun.isReference || !PRONOUN_SUBJECTS.test(noun.head)) return [noun];
  const { discourse, main, named } = spoken;
  const candidates = [main, ...named.map((each) => [each]), discourse.subjects, discourse.objects].filter(
    (nouns) => nouns.every((each) => !each.isReference && !asked.includes(each)),
  );
  return choose(noun.head, candidates, spoken) ?? [noun];
}

export function resolveObject(noun: NounPhrase, subjects: Nouns, isShared: boolean, spoken: Spoken): Nouns {
  if (!noun.isReference) return [noun];
  const { discourse, named, isFirst } = spoken;
  const known = (nouns: Nouns) => nouns.filter((each) => !each.isReference);
  const isSubject = (each: NounPhrase) => subjects.some(({ head }) => head === each.head);
  const inSentence = named.map((noun) => [noun]);
  const before = [known(discourse.objects), known(discourse.subjects)];
  const candidates = (isFirst ? [...inSentence, ...before] : [...before, ...inSentence]).filter(
    (nouns) => !nouns.some(isSubject),
  );
  if (noun.head === "what") {
    const asked = known(discourse.subjects).filter((each) => !isSubject(each));
    return asked.length > 0 ? asked : (choose("what", candidates, spoken) ?? [noun]);
  }
  // "who trains whom", but "trained by whom"
  if (noun.head === "whom" && known(subjects).length > 0) return [noun];
  if (/^(?:it|them|him|her|this|these|those)$/.test(noun.head)) {
    const same = isShared ? known(discourse.objects) : [];
    return choose(noun.head, candidates, spoken) ?? (same.length > 0 ? same : [noun]);
  }
  if (noun.head === "another") return isShared ? known(discourse.objects) : [noun];
  if (/^(?:others?|which|whom|one|ones|each)$/.test(noun.head))
    return subjects.length > 0 ? subjects : [noun];
  return [noun];
}
