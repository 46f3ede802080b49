import type { ConfidenceLimits } from "./graph.ts";

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
  /** Of its ontology; meaningless without one. */
  readonly ontologyVersion: number;
  /** How text is cut and embedded. Fixed at creation; only a move to another embedding model changes it. */
  readonly config: ProjectConfig;
}

export interface ProjectConfig {
  readonly embeddingModel: string;
  readonly embeddingDimensions: number;
  readonly chunkTokens: number;
  readonly chunkOverlapTokens: number;
  /**
   * "model": the built-in engine together with a language model or a local
   * reader, or alone while none is configured.
   */
  readonly extraction: "none" | "built_in" | "model";
  /** Absent in projects of earlier releases, which have the default. */
  readonly confidenceLimits?: ConfidenceLimits;
}
