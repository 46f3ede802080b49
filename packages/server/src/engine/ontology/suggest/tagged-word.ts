/** What the suggester needs of a tagger of parts of speech; whoever composes it brings one along. */
import type { Span } from "../../../domain/graph.ts";

export interface TaggedWord extends Span {
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  /** Universal part of speech: NOUN, PROPN, VERB, AUX, ADP, … */
  readonly tag: string;
}

export type TagWords = (text: string, sentence: Span) => readonly TaggedWord[];
