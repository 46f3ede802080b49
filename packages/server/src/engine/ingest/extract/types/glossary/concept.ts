/** What English knows of the common kinds of things; the lists of this folder are general knowledge, not drawn from any data set. */

/** Lists are comma separated, in small letters. */
export interface Concept {
  /** How a type of this kind may be called, in the singular. */
  readonly names: string;
  /** Name of the concept of which it is a kind; left out for the broadest. */
  readonly broader?: string;
  /** Nouns for things of this kind, and nouns that end their names. */
  readonly words?: string;
  /** Nouns that end names of several words of such things, and say nothing of terms in small letters. */
  readonly heads?: ReadonlySet<string>;
  /** Well-known things of this kind. */
  readonly known?: string;
  /** Whether nearly all names of such things are well known or say what they name. */
  readonly isTold?: true;
  /** How words for such things end. */
  readonly endings?: string;
}
