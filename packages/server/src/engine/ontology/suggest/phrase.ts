/** What a sentence is cut into. */

export interface NounPhrase {
  readonly kind: "noun";
  /** What can be part of a type's name, in small letters: nouns, and adjectives that name kinds; the head last, in the singular. */
  readonly words: readonly string[];
  /** The words before `words`: "insured" of "the insured value". */
  readonly qualifiers: readonly string[];
  /** Singular, small letters. */
  readonly head: string;
  readonly isPlural: boolean;
  /** "a", "each", "their", "two", …; null without one. */
  readonly determiner: string | null;
  /** A pronoun, or a name of one thing. */
  readonly isReference: boolean;
}

export interface VerbPhrase {
  readonly kind: "verb";
  /** Of the last verb: "write", "be". */
  readonly lemma: string;
  /** The last verb as it stands, in small letters. */
  readonly surface: string;
  /** "out" of "carry out", or "". */
  readonly particle: string;
  readonly isPassive: boolean;
  readonly isNegated: boolean;
  /** "wants to track": what somebody would like to do. */
  readonly isWanted: boolean;
  /** "to track": an infinitive, whose subject stands elsewhere. */
  readonly isInfinitive: boolean;
  readonly isGerund: boolean;
  /** "be", "have", "do", "can": may be one half of a verb whose subject stands between. */
  readonly isAuxiliary: boolean;
}

export type Phrase =
  | NounPhrase
  | VerbPhrase
  | { readonly kind: "preposition" | "relative" | "adjective" | "adverb"; readonly word: string }
  | { readonly kind: "and" | "comma" | "possessive" | "break" };

/** Whoever asks. */
export function isSpeaker({ isReference, head }: NounPhrase): boolean {
  return isReference && /^(?:i|we|you|us|me)$/.test(head);
}

/** A pronoun as a phrase. */
export function reference(word: string): NounPhrase {
  return {
    kind: "noun",
    words: [word],
    qualifiers: [],
    head: word,
    isPlural: false,
    determiner: null,
    isReference: true,
  };
}
