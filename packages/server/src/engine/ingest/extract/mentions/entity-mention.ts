/** What may be an entity in a sentence, before anything decides that it is one. */
import type { Span } from "../../../../domain/graph.ts";

/**
 * proper: a name in capitals. noun: a term in small letters. quoted: what stands in quotation marks. date: a point or
 * stretch of time. number: an amount, with its unit. demonym: a nationality, people or language.
 */
export type MentionKind = "proper" | "noun" | "quoted" | "date" | "number" | "demonym";

/** Offsets are into the same text as those of the tokens. */
export interface EntityMention extends Span {
  readonly kind: MentionKind;
  /** Range of tokens, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Index of the mention that this one is another reading of (a part, or an extension); null for a reading of its own. */
  readonly variantOf: number | null;
  /** Names of people or things joined to the name of a firm: "Brindle & Oak". */
  readonly isFirm?: true | undefined;
  /** A thing in small letters that a name tells apart: "the Porto office". */
  readonly isNamed?: true | undefined;
  /** The title of the document, which a sentence of the chunk is about, whatever words it has. */
  readonly isTitle?: true | undefined;
}

export const MENTION_LIMITS = {
  /** Of one mention. */
  tokens: 14,
  /** Of one sentence; the rest of a sentence of lists is left out. */
  mentions: 160,
} as const;
