/** What is read out of a document beside its chunks: names, statements, and what a chunk is about. */

/** Offsets into the document's text in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name in a chunk, of whatever kind; serves retrieval only. */
export interface Mention extends Span {
  /** Normal form. */
  readonly name: string;
  /** Index into the chunk's sentences. */
  readonly sentence: number;
  /** A part of a longer mention, or several joined over a comma: it counts only where a passage is about it. */
  readonly isVariant: boolean;
}

/**
 * Where it is known from what a chunk is about. title: the document's first line. alias: another form of that, or stated in
 * the text. section: the nearest heading. opening: the first name of a text without a heading.
 */
export type SubjectKind = "title" | "alias" | "section" | "opening";

/** What a chunk is about. */
export interface Subject {
  /** Normal form. */
  readonly name: string;
  readonly kind: SubjectKind;
}

export type Sentence = Span;

/** An open statement: who does what to whom, as the sentence says it. */
export interface Statement {
  /** Index into the chunk's sentences. */
  readonly sentence: number;
  readonly subject: Span;
  readonly verb: Span;
  readonly object: Span;
  /** Lemmas of the verb with its preposition; frames that recur become edge types. */
  readonly frame: string;
  readonly isNegated: boolean;
  readonly isHedged: boolean;
}

/** What is kept of a chunk for retrieval over the graph. */
export interface PassageKnowledge {
  readonly subjects: readonly Subject[];
  readonly sentences: readonly Sentence[];
  /** A row of int8 for each sentence: its unit vector times 127. */
  readonly sentenceVectors: Int8Array;
  readonly mentions: readonly Mention[];
  readonly statements: readonly Statement[];
}

/** First and last token of a normal form of two tokens or more, "first|last": forms of one name often share them. */
export function endsOfName(name: string): string | null {
  const first = name.indexOf(" ");
  return first === -1 ? null : `${name.slice(0, first)}|${name.slice(name.lastIndexOf(" ") + 1)}`;
}

/** A typed name: entities are the groups of these that name one thing. */
export interface EntityKey {
  readonly type: string;
  /** Normal form of a name. */
  readonly key: string;
}

export interface EntityMention extends EntityKey, Span {
  /** As the text writes it. */
  readonly name: string;
  /** 0…1 */
  readonly confidence: number;
}

/** The span is that of the sentence. */
export interface RelationshipMention extends Span {
  readonly type: string;
  readonly source: EntityKey;
  readonly target: EntityKey;
  /** 0…1 */
  readonly confidence: number;
  /** Which extractor asserts it. */
  readonly extractor: string;
  /** The time that the text states, normalised; null where it states none. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

export interface PropertyMention extends Span {
  readonly entity: EntityKey;
  readonly property: string;
  readonly value: string;
}

/** The text says that two names of one type name one thing. */
export interface AliasMention extends EntityKey, Span {
  /** Normal form of the other name. */
  readonly alias: string;
}

/** A rule says, from the names alone, that another name would name the same thing, should any text have it. */
export interface AliasCandidate extends EntityKey {
  readonly candidate: string;
}

/** An entity of an upper level gathers another; the span is what says so. */
export interface MemberMention extends Span {
  readonly parent: EntityKey;
  readonly member: EntityKey;
}

/**
 * What was met and fits no type or no allowed pair of the ontology. "dropped": what a model said and the text does not
 * show, or what could not be read; the name is the reason.
 */
export interface UnfitFact {
  readonly kind: "entity" | "relationship" | "dropped";
  /** "" for what is no relationship. */
  readonly sourceType: string;
  /** The type or edge type as it was met. */
  readonly name: string;
  /** "" for what is no relationship. */
  readonly targetType: string;
  readonly count: number;
  /** A quote. */
  readonly example: string;
}

/** What a chunk contributes to the graph; a function of its document's text alone. */
export interface ChunkFacts {
  readonly entities: readonly EntityMention[];
  readonly relationships: readonly RelationshipMention[];
  readonly properties: readonly PropertyMention[];
  readonly aliases: readonly AliasMention[];
  readonly candidates: readonly AliasCandidate[];
  readonly members?: readonly MemberMention[];
  readonly unfit: readonly UnfitFact[];
}
