import type { ProjectConfig } from "./project.ts";

/** A vector space: only vectors of the same model and the same length can be compared. */
export interface EmbeddingSpace {
  /** "all-MiniLM-L6-v2" for the bundled model, else provider and model, such as "ollama/nomic-embed-text". */
  readonly model: string;
  readonly dimensions: number;
}

export function isSameSpace(one: EmbeddingSpace, other: EmbeddingSpace): boolean {
  return one.model === other.model && one.dimensions === other.dimensions;
}

/** The vector space of a project. */
export function spaceOf(
  config: Pick<ProjectConfig, "embeddingModel" | "embeddingDimensions">,
): EmbeddingSpace {
  return { model: config.embeddingModel, dimensions: config.embeddingDimensions };
}
