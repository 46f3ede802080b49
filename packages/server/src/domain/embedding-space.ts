import type { ProjectConfig } from "./project.ts";

/** Vectors of one model and one length: only those can be compared with each other. */
export interface EmbeddingSpace {
  /** "all-MiniLM-L6-v2", or provider and model as "ollama/nomic-embed-text". */
  readonly model: string;
  readonly dimensions: number;
}

export function isSameSpace(one: EmbeddingSpace, other: EmbeddingSpace): boolean {
  return one.model === other.model && one.dimensions === other.dimensions;
}

/** The space of all of a project's vectors. */
export function spaceOf(
  config: Pick<ProjectConfig, "embeddingModel" | "embeddingDimensions">,
): EmbeddingSpace {
  return { model: config.embeddingModel, dimensions: config.embeddingDimensions };
}
