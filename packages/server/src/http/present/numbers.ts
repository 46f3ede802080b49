/** JSON of stats, configuration and usage. */
import type { ProjectConfiguration, ProjectStats } from "../../services/project-numbers.ts";
import type { Usage } from "../../services/usage.ts";
import { presentProjectConfig } from "../present.ts";

export function presentStats({ numbers, types }: ProjectStats) {
  return {
    documents: numbers.documents,
    chunks: numbers.chunks,
    bytes: numbers.bytes,
    entities_by_type: types.entities,
    relationships_by_type: relationshipTypes(types.relationships),
    segments: numbers.segments,
    index_version: numbers.indexVersion,
    jobs: numbers.jobs,
    tokens: numbers.tokens,
    last_ingested_at: numbers.lastIngestedAt === null ? null : new Date(numbers.lastIngestedAt).toISOString(),
  };
}

/** Sums the counts per edge type over all pairs of end types. */
function relationshipTypes(counted: ProjectStats["types"]["relationships"]) {
  const counts = new Map<string, number>();
  for (const { type, count } of counted) counts.set(type, (counts.get(type) ?? 0) + count);
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((one, other) => other.count - one.count || (one.type < other.type ? -1 : 1));
}

export function presentConfiguration({ project, inUse }: ProjectConfiguration) {
  return {
    config: presentProjectConfig(project.config),
    ontology:
      project.ontologyId === null ? null : { id: project.ontologyId, version: project.ontologyVersion },
    in_use: {
      embedding_model: inUse.embeddingModel,
      embedding_dimensions: inUse.embeddingDimensions,
      embedding_models: inUse.embeddingModels,
      max_text_bytes: inUse.maxTextBytes,
      language_model: inUse.languageModel,
    },
  };
}

export function presentUsage({ from, to, days, use, limits, tokenLimit, requestsPerMinute }: Usage) {
  return {
    from,
    to,
    days: days.map(({ day, projectId, tokens, documents, chunks, queries, modelCalls, modelTokens }) => ({
      date: day,
      project_id: projectId,
      tokens,
      documents,
      chunks,
      queries,
      model_calls: modelCalls,
      model_tokens: modelTokens,
    })),
    limits: {
      token_limit: tokenLimit,
      tokens_used: use.tokens,
      tokens_left: tokenLimit === null ? null : Math.max(0, tokenLimit - use.tokens),
      ingest_per_minute: requestsPerMinute,
      pending_jobs: limits.pendingJobs,
      stored_bytes: limits.storedBytes,
      stored_bytes_used: use.storedBytes,
      concurrent_queries: limits.concurrentQueries,
      projects: limits.projects,
      ontologies: limits.ontologies,
    },
  };
}
