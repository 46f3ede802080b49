/** The bundled model that reads names, their types and the relations between them, whatever the labels are. */

/** The labels of a reading: a vector for each, those of types before those of relations. */
export interface FactLabels {
  readonly vectors: Float32Array;
  readonly types: number;
  readonly relations: number;
}

/** What the lower layers of the embedding model make of a text: a row for each token, [CLS] and [SEP] included. */
export interface LowerStates {
  readonly rows: Float32Array;
  readonly tokens: number;
}

/** Numbers for T tokens, of which spans and pairs are scored; row-major. See `factOutputs` of `@kcs/minilm`. */
export interface FactNumbers {
  readonly tokens: number;
  readonly types: number;
  readonly relations: number;
  /** [3, T, L + 1] */
  readonly tokenProducts: Float32Array;
  /** [L + 1, 3] */
  readonly tokenBiases: Float32Array;
  /** [T, 768] */
  readonly spanParts: Float32Array;
  /** [T, L] */
  readonly typeTokens: Float32Array;
  /** [L, 256] */
  readonly typeLabels: Float32Array;
  /** [T, 1920] */
  readonly pairParts: Float32Array;
  /** [T, L] */
  readonly edgeTokens: Float32Array;
  /** [L, 384] */
  readonly edgeLabels: Float32Array;
  /** [L] */
  readonly edgeBias: Float32Array;
  /** Of the model, for every text the same: [32, 384], [256] and a number. */
  readonly distances: Float32Array;
  readonly none: Float32Array;
  readonly noneBias: number;
}

export interface FactModel {
  /** Computes on the calling thread, less than the embedding of the text takes. */
  read(states: LowerStates, labels: FactLabels): Promise<FactNumbers>;
}
