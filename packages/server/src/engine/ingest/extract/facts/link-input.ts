/** What relationships of a sentence are read from. */

import type { Span } from "../../../../domain/graph.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { PassageSentence } from "./passage.ts";

export interface LinkInput {
  readonly sentence: PassageSentence;
  /** Of the sentence, apart from each other. */
  readonly entities: readonly FoundEntity[];
  /** What a pronoun that opens the sentence stands for. */
  readonly opening: { readonly range: Span; readonly entity: FoundEntity } | null;
  /** What "the company" may stand for. */
  readonly documentSubject: FoundEntity | null;
}

export function tokensIn(tokens: readonly TaggedToken[], span: Span): readonly TaggedToken[] {
  return tokens.filter((token) => token.start >= span.start && token.end <= span.end);
}
