import type { ChunkFacts, Mention, Sentence, Statement } from "../domain/graph.ts";
import type { BoundOntology } from "../domain/ontology.ts";

/** A chunk to extract graph data from. All offsets are into its document's text. */
export interface PassageRequest {
  /** The chunk's text, and its start offset. */
  readonly text: string;
  readonly start: number;
  readonly sentences: readonly Sentence[];
  /** Names in the chunk, of all kinds. */
  readonly mentions: readonly Mention[];
  /** The name that the document uses for its subject; null when unknown. */
  readonly documentSubject: string | null;
  /**
   * The name in the preceding text that the first pronoun of the chunk refers to; absent or null when
   * unknown.
   */
  readonly antecedent?: { readonly name: string; readonly isPerson: boolean } | null;
  /** The project's ontology; null when types come from the data. */
  readonly ontology: BoundOntology | null;
}

export interface PassageReading {
  /** One row per sentence: its unit vector times 127, as int8. */
  readonly sentenceVectors: Int8Array;
  readonly statements: readonly Statement[];
  readonly facts: ChunkFacts;
}

/** Extracts sentence vectors, statements and facts from chunks. The result depends on the request alone. */
export interface PassageReader {
  read(request: PassageRequest): Promise<PassageReading>;
}
