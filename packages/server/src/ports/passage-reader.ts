import type { TableAround } from "../domain/document.ts";
import type { ChunkFacts, ConfidenceLimits, Mention, Sentence, Statement } from "../domain/graph.ts";
import type { BoundOntology } from "../domain/ontology.ts";

/** A chunk to extract graph data from. All offsets are into its document's text. */
export interface PassageRequest {
  /** What stands before the chunk's text where it is embedded; "" when absent. */
  readonly header?: string;
  /** Of a table that goes beyond the chunk. */
  readonly table?: TableAround | undefined;
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
  /** The document's date: a year, month or day; absent or null when unknown. */
  readonly documentDate?: string | null;
  /** Which relationships are asserted and which proposed; the default when absent. */
  readonly confidenceLimits?: ConfidenceLimits | undefined;
  /** The project's ontology; null when types come from the data. */
  readonly ontology: BoundOntology | null;
}

export interface PassageReading {
  /** Of the header and the text together: what the model's `embed` returns for them, bit for bit. */
  readonly vector: Float32Array;
  /** One row per sentence: its unit vector times 127, as int8. */
  readonly sentenceVectors: Int8Array;
  readonly statements: readonly Statement[];
  readonly facts: ChunkFacts;
}

/** Extracts sentence vectors, statements and facts from chunks. The result depends on the request alone. */
export interface PassageReader {
  /** `accountId`: where requests wait, accounts take turns. */
  read(request: PassageRequest, accountId?: string): Promise<PassageReading>;
}
