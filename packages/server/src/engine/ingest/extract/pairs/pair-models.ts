/** What pairs of names are read with. */

import type { ReadText } from "../learned/create-reading.ts";
import type { EncodedSentence } from "../relations/relation-types.ts";
import type { TagSentence } from "../statements/create-tagger.ts";
import type { Typer } from "../types/type-scores.ts";
import type { Embed } from "../vectors.ts";
import type { WordVectors } from "./word-vectors.ts";

export interface PairModels {
  readonly embed: Embed;
  readonly encode: (text: string) => Promise<EncodedSentence>;
  readonly tag: TagSentence;
  readonly typer: Typer;
  readonly vectors: WordVectors;
  /** Reads the examples as the model reads the passages; null or absent without a model. */
  readonly readText?: ReadText | null;
  /** Called within long computations, so that other work of the thread goes on. */
  readonly turn?: (() => Promise<void>) | undefined;
}
