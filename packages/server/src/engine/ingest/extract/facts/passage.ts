/** A chunk as the reading of facts sees it: every sentence tagged and embedded once, for all that is read out of it. */

import type { TableAround } from "../../../../domain/document.ts";
import type { ChunkFacts, ConfidenceLimits, Mention, Span, Statement } from "../../../../domain/graph.ts";
import type { FactModel } from "../../../../ports/fact-model.ts";
import type { ConfidenceOf } from "../confidence.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { EncodedSentence } from "../relations/relation-types.ts";
import type { RelationModels } from "../relations/score.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";

/** All offsets are into the document's text. */
export interface PassageSentence extends Span {
  /** Index into the chunk's sentences. */
  readonly index: number;
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly EntityMention[];
  readonly statements: readonly Statement[];
  readonly encoded: EncodedSentence;
}

export interface Passage extends Span {
  textOf(span: Span): string;
  readonly sentences: readonly PassageSentence[];
  /** What is embedded of the chunk, and where it begins in the document. */
  readonly whole: EncodedSentence;
  readonly offset: number;
  readonly limits: ConfidenceLimits;
  /** Names, of whatever kind; none is typed. */
  readonly names: readonly Mention[];
  /** How the document names what it is about; null where that is not known. */
  readonly documentSubject: string | null;
  /** The heading above the chunk; "" where there is none. */
  readonly heading: string;
  /** Of a table that goes beyond the chunk. */
  readonly table: TableAround | null;
  /** A year, month or day; null where it is not known. */
  readonly documentDate: string | null;
  /** Whom the pronoun that begins the chunk stands for, of the text before; null where that is not known. */
  readonly antecedent: { readonly name: string; readonly isPerson: boolean } | null;
}

/** Reads what a chunk contributes to the graph; a function of the chunk, its document's subject and the types. */
export type ReadFacts = (passage: Passage) => Promise<ChunkFacts>;

export interface FactModels {
  /** Unit vector of a short text. */
  embed(text: string): Promise<Float32Array>;
  encode(text: string): Promise<EncodedSentence>;
  /** Reads names and relations; without it, rules alone do. */
  readonly facts?: FactModel;
  /** Gives the thread's other requests their turn; called within computations that an ontology makes long. */
  readonly turn?: () => Promise<void>;
  readonly tag: (text: string, sentence: Span) => readonly TaggedToken[];
  /** For evaluations; the shipped weights and the default confidence without. */
  readonly relations?: RelationSettings;
  /** For evaluations; the fitted maps without. */
  readonly confidenceOf?: ConfidenceOf;
}

export interface RelationSettings {
  readonly models: RelationModels;
  readonly minConfidence: number;
}
