export type ProjectMode = "vector_only" | "kg_vector";

export interface Project {
  readonly projectId: string;
  readonly accountId: string;
  readonly name: string;
  readonly mode: ProjectMode;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** null for `vector_only` projects and for `kg_vector` projects whose schema comes from the data. */
  readonly ontologyId: string | null;
  /** How this project's text is cut and embedded; fixed at creation. */
  readonly config: ProjectConfig;
}

export interface ProjectConfig {
  readonly embeddingModel: string;
  readonly embeddingDimensions: number;
  readonly chunkTokens: number;
  readonly chunkOverlapTokens: number;
  /** "model": a language model and the built-in engine together; the latter alone for as long as no model is configured. */
  readonly extraction: "none" | "built_in" | "model";
}
