/** What pairs of names are read with. */

import type { EncodedSentence } from "../relations/relation-types.ts";
import type { Embed, WordVectors } from "../relations/word-vectors.ts";
import type { TagSentence } from "../statements/create-tagger.ts";
import type { Typer } from "../types/type-scores.ts";

export interface PairModels {
  readonly embed: Embed;
  readonly encode: (text: string) => Promise<EncodedSentence>;
  readonly tag: TagSentence;
  readonly typer: Typer;
  readonly vectors: WordVectors;
}
