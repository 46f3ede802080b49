/**
 * Maps domain types to the JSON of the API. Wire names occur only in
 * `http/present*`, the contract and `mcp/`.
 */
import { RawJson } from "@kcs/contract";
import { formatChunkId } from "../domain/document.ts";
import type { AcceptedJob, Job } from "../domain/job.ts";
import type { Ontology, OntologySummary, Suggestion } from "../domain/ontology.ts";
import type { OntologyCheck } from "../domain/ontology-check.ts";
import type { Project, ProjectConfig } from "../domain/project.ts";
import type { Answer, AnswerStep, RankedChunk, StatedRelationship } from "../domain/query.ts";
import type { GrownSchema, ProjectWithOntology } from "../services/projects.ts";
import { presentPlace } from "./present/documents.ts";
import { presentExplanation } from "./present/explanation.ts";
import type { ReadOntologyParts } from "./present/ontology-parts.ts";

const EMPTY_LIST = new RawJson("[]");

function time(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function projectHead(project: Project) {
  return {
    project_id: project.projectId,
    name: project.name,
    mode: project.mode,
    created_at: time(project.createdAt),
  };
}

/** The members of `schema.ontology` in one object with the name, as the contract requires. */
function projectOntology({ project, ontology, grown }: ProjectWithOntology, readParts: ReadOntologyParts) {
  if (project.mode === "vector_only") return null;
  if (grown !== null) return { name: project.name, ...presentGrown(grown) };
  const parts = ontology === null ? null : readParts(ontology);
  return {
    name: ontology?.name ?? project.name,
    hierarchy: parts?.hierarchy ?? EMPTY_LIST,
    edge_types: listOrEmpty(parts?.edgeTypes ?? null),
  };
}

/** The hierarchy is empty while the data have produced no types. */
function presentGrown({ nodeTypes, edgeTypes }: GrownSchema) {
  const types = nodeTypes.map(({ name, properties, description }) => [name, { properties, description }]);
  return {
    hierarchy: types.length === 0 ? [] : [{ level: 0, node_types: Object.fromEntries(types) }],
    edge_types: edgeTypes.map(({ name, sourceTypes, targetTypes, properties, temporal, description }) => ({
      name,
      source_types: sourceTypes,
      target_types: targetTypes,
      properties,
      temporal,
      description,
    })),
  };
}

/** An absent or null member becomes an empty list. */
function listOrEmpty(raw: RawJson | null): RawJson {
  return raw === null || raw.text === "null" ? EMPTY_LIST : raw;
}

export function presentProject(found: ProjectWithOntology, readParts: ReadOntologyParts) {
  return { ...projectHead(found.project), ontology: projectOntology(found, readParts) };
}

export function presentCreatedProject(created: ProjectWithOntology, readParts: ReadOntologyParts) {
  return { ...presentProject(created, readParts), config: presentProjectConfig(created.project.config) };
}

export function presentProjectConfig(config: ProjectConfig) {
  return {
    embedding_model: config.embeddingModel,
    embedding_dimensions: config.embeddingDimensions,
    chunk_tokens: config.chunkTokens,
    chunk_overlap_tokens: config.chunkOverlapTokens,
    extraction: config.extraction,
  };
}

export function presentListedProject(project: Project, ontologyName: string | null) {
  const ontology = project.mode === "vector_only" ? null : { name: ontologyName ?? project.name };
  return { ...projectHead(project), ontology };
}

export function presentAcceptedJob(job: AcceptedJob) {
  return { job_id: job.jobId, status: job.status, created_at: time(job.createdAt) };
}

export function presentAcceptedBatch(jobs: readonly AcceptedJob[]) {
  return { jobs: jobs.map((job) => ({ ...presentAcceptedJob(job), source_doc_id: job.sourceDocId })) };
}

export function presentJob(job: Job) {
  return {
    job_id: job.jobId,
    project_id: job.projectId,
    source_doc_id: job.sourceDocId,
    status: job.status,
    chunks_processed: job.chunksProcessed,
    nodes_created: job.nodesCreated,
    edges_created: job.edgesCreated,
    started_at: job.startedAt === null ? null : time(job.startedAt),
    completed_at: job.completedAt === null ? null : time(job.completedAt),
    error_message: job.errorMessage,
  };
}

export function presentJobs(jobs: readonly Job[], page: { limit: number; offset: number }) {
  return { jobs: jobs.map(presentJob), total: jobs.length, limit: page.limit, offset: page.offset };
}

export function presentOntologySummary(ontology: OntologySummary) {
  return { id: ontology.ontologyId, name: ontology.name, created_at: time(ontology.createdAt) };
}

export function presentOntology(ontology: Ontology) {
  return { ...presentOntologySummary(ontology), schema: new RawJson(ontology.schemaJson) };
}

export function presentOntologyCheck({ faults, faultCount }: OntologyCheck) {
  return { valid: faultCount === 0, faults, fault_count: faultCount };
}

export function presentSuggestion({ name, schemaJson }: Suggestion) {
  return { name, schema: new RawJson(schemaJson) };
}

/** Includes the explanation and the steps if the answer has them, which is only so when the request asked for them. */
export function presentAnswer(query: string, answer: Answer, withProvenance: boolean) {
  const { explanation, steps, stated = [] } = answer;
  return {
    query,
    strategy_used: answer.strategyUsed,
    results: {
      summary: answer.summary,
      entities: answer.entities,
      relationships: answer.relationships.map(({ confirmed: _, ...relationship }) => relationship),
      chunks: answer.chunks.map((chunk) => presentChunk(chunk, withProvenance)),
    },
    ...(stated.length === 0 ? {} : { stated: stated.map(presentStated) }),
    ...(explanation === undefined ? {} : { explain: presentExplanation(explanation) }),
    ...(steps === undefined ? {} : { steps: steps.map(presentStep) }),
  };
}

function presentStated({ validFrom, validTo, ...relationship }: StatedRelationship) {
  return { ...relationship, valid_from: validFrom, valid_to: validTo };
}

function presentStep({ query, name, found }: AnswerStep) {
  const from = name && {
    chunk_id: formatChunkId(name.from),
    source_doc_id: name.from.sourceDocId,
    sentence: name.from.sentence,
    start: name.from.start,
    end: name.from.end,
  };
  return { query, name: name?.name ?? null, from, chunk_ids: found.map(formatChunkId) };
}

export function presentChunk(chunk: RankedChunk, withProvenance: boolean) {
  const plain = { text: chunk.text, similarity: chunk.similarity };
  if (!withProvenance) return plain;
  return {
    ...plain,
    chunk_id: formatChunkId(chunk),
    source_doc_id: chunk.sourceDocId,
    start: chunk.start,
    end: chunk.end,
    ...presentPlace(chunk.place),
  };
}
