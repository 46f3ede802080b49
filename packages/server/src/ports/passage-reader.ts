import type { ChunkFacts, Mention, Sentence, Statement } from "../domain/graph.ts";
import type { BoundOntology } from "../domain/ontology.ts";

/** A chunk to be read for the graph. All offsets are into its document's text. */
export interface PassageRequest {
  /** The chunk's text, and where it begins. */
  readonly text: string;
  readonly start: number;
  readonly sentences: readonly Sentence[];
  /** Names in the chunk, of whatever kind. */
  readonly mentions: readonly Mention[];
  /** How the document names what it is about; null where that is not known. */
  readonly documentSubject: string | null;
  /** Whom the pronoun that begins the chunk stands for, of the text before; left out or null where that is not known. */
  readonly antecedent?: { readonly name: string; readonly isPerson: boolean } | null;
  /** What the project is bound to; null where types come from the data. */
  readonly ontology: BoundOntology | null;
}

export interface PassageReading {
  /** A row of int8 for each sentence: its unit vector times 127. */
  readonly sentenceVectors: Int8Array;
  readonly statements: readonly Statement[];
  readonly facts: ChunkFacts;
}

/** Reads sentences, statements and facts out of chunks; a function of the request alone. */
export interface PassageReader {
  read(request: PassageRequest): Promise<PassageReading>;
}
