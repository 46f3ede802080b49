/** What is extracted from a document in addition to its chunks: names, statements and subjects. */
import type { Timing, Validity } from "./validity.ts";

/** Offsets into the document's text in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name in a chunk, of any type; used by retrieval only. */
export interface Mention extends Span {
  /** Normal form. */
  readonly name: string;
  /** Index into the chunk's sentences. */
  readonly sentence: number;
  /**
   * A part of a longer mention, or several mentions joined across a comma. Counts
   * only if a passage has it as a subject.
   */
  readonly isVariant: boolean;
}

/**
 * Where a subject comes from. title: the first line of the document. alias: another form of
 * the title, or an alias that the text states. section: the nearest heading. opening: the
 * first name of a text without a heading.
 */
export type SubjectKind = "title" | "alias" | "section" | "opening";

/** What a chunk is about. */
export interface Subject {
  /** Normal form. */
  readonly name: string;
  readonly kind: SubjectKind;
}

export type Sentence = Span;

/** An open (untyped) statement: subject, verb and object as they are in the sentence. */
export interface Statement {
  /** Index into the chunk's sentences. */
  readonly sentence: number;
  readonly subject: Span;
  readonly verb: Span;
  readonly object: Span;
  /** Lemmas of the verb and its preposition; frames that recur become edge types. */
  readonly frame: string;
  readonly isNegated: boolean;
  readonly isHedged: boolean;
}

/** What is stored of a chunk for graph retrieval. */
export interface PassageKnowledge {
  readonly subjects: readonly Subject[];
  readonly sentences: readonly Sentence[];
  /** One row of int8 per sentence: its unit vector times 127. */
  readonly sentenceVectors: Int8Array;
  readonly mentions: readonly Mention[];
  readonly statements: readonly Statement[];
}

/**
 * "first|last", the first and last token of a normal form, which different forms of a name
 * often share. null for a single token.
 */
export function endsOfName(name: string): string | null {
  const first = name.indexOf(" ");
  return first === -1 ? null : `${name.slice(0, first)}|${name.slice(name.lastIndexOf(" ") + 1)}`;
}

/** The type of a name that nothing gives a type, where no ontology says which types there are. */
export const UNTYPED = "Thing";

/** A typed name. An entity is a group of typed names of the same thing. */
export interface EntityKey {
  readonly type: string;
  /** Normal form of a name. */
  readonly key: string;
}

export interface EntityMention extends EntityKey, Span {
  /** As written in the text. */
  readonly name: string;
  /** 0…1 */
  readonly confidence: number;
}

/** Its span is the whole sentence. */
export interface RelationshipMention extends Span, Validity {
  /** null or absent: of a type without times. */
  readonly timing?: Timing | null;
  readonly type: string;
  readonly source: EntityKey;
  readonly target: EntityKey;
  /** The probability that a reader calls it true. */
  readonly confidence: number;
  /** Name of the extractor that found it. */
  readonly extractor: string;
}

/**
 * A relationship that a reader would call true less surely than one that is asserted. Its ends need not be entities, so that it has their
 * names as written.
 */
export interface ProposedRelationship extends RelationshipMention {
  readonly sourceName: string;
  readonly targetName: string;
}

/** From which confidence on a relationship is in the graph (`asserted`), and from which one it is at least proposed. */
export interface ConfidenceLimits {
  readonly asserted: number;
  readonly proposed: number;
}

export const DEFAULT_CONFIDENCE_LIMITS: ConfidenceLimits = { asserted: 0.8, proposed: 0.4 };

export interface PropertyMention extends Span {
  readonly entity: EntityKey;
  readonly property: string;
  readonly value: string;
}

/** The text states that two names of one type refer to the same thing. */
export interface AliasMention extends EntityKey, Span {
  /** Normal form of the other name. */
  readonly alias: string;
}

/** Another name that a rule derives from a name alone. It is an alias only if a text uses it. */
export interface AliasCandidate extends EntityKey {
  readonly candidate: string;
}

/** An entity of a higher level aggregates another one; the span is the evidence. */
export interface MemberMention extends Span {
  readonly parent: EntityKey;
  readonly member: EntityKey;
}

/**
 * Extracted facts that the ontology does not allow, by type or by pair of types. "dropped": parts of a
 * language model's reply that the text does not support or that could not be read; `name` is then the reason.
 */
export interface UnfitFact {
  readonly kind: "entity" | "relationship" | "dropped";
  /** "" unless this is a relationship. */
  readonly sourceType: string;
  /** The type or edge type as extracted. */
  readonly name: string;
  /** "" unless this is a relationship. */
  readonly targetType: string;
  readonly count: number;
  /** A quote from a text. */
  readonly example: string;
}

/** A chunk's contribution to the graph; depends on nothing but the text of its document. */
export interface ChunkFacts {
  readonly entities: readonly EntityMention[];
  readonly relationships: readonly RelationshipMention[];
  readonly properties: readonly PropertyMention[];
  readonly aliases: readonly AliasMention[];
  readonly candidates: readonly AliasCandidate[];
  readonly members?: readonly MemberMention[];
  /** Not in the graph: no answer has them, and no entity exists because of them. */
  readonly proposals?: readonly ProposedRelationship[];
  readonly unfit: readonly UnfitFact[];
}
