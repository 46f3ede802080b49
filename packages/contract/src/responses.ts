/** The response bodies of the service. Strict: a further or missing member is an error. */
import { z } from "zod";
import { count, filePlace, time } from "./answer-fields.ts";
import { explanation } from "./explain-response.ts";
import { edgeType, hierarchyLevel, ontologySchema } from "./ontology-schema.ts";
import { ontologyChanges, ontologyVersion } from "./ontology-version-responses.ts";
import { reread } from "./reread-responses.ts";

export * from "./correction-responses.ts";
export * from "./document-responses.ts";
export { explanation } from "./explain-response.ts";
export * from "./feedback-responses.ts";
export * from "./graph-responses.ts";
export * from "./job-responses.ts";
export * from "./ontology-schema.ts";
export * from "./ontology-version-responses.ts";
export { reembedding } from "./reembed-responses.ts";
export { reread } from "./reread-responses.ts";
export { usage } from "./usage-responses.ts";
export * from "./webhook-responses.ts";

export const projectOntology = z.strictObject({
  name: z.string(),
  /** Empty while an open graph has no types. */
  hierarchy: z.array(hierarchyLevel),
  edge_types: z.array(edgeType),
});

const projectFields = {
  project_id: z.string(),
  name: z.string(),
  mode: z.enum(["vector_only", "kg_vector"]),
  created_at: time,
};

export const projectConfig = z.strictObject({
  embedding_model: z.string(),
  embedding_dimensions: count,
  chunk_tokens: count,
  chunk_overlap_tokens: count,
  extraction: z.enum(["none", "built_in", "model"]),
});

export const project = z.strictObject({ ...projectFields, ontology: projectOntology.nullable() });
export const createdProject = project.extend({ config: projectConfig });
/** A project's configuration, and the service's current settings. */
/** A project after a change, or without one. */
export const changedProject = z.strictObject({
  project,
  /** null unless an ontology was given. */
  ontology_changes: ontologyChanges.nullable(),
  /** The reread that was started; null when nothing has to be read again. */
  reread: reread.nullable(),
});

const addedExamples = z.array(
  z.strictObject({
    /** A type with corrections. */
    name: z.string(),
    /** Examples that the version before did not have. */
    added: count,
    /** Those for which there is no place: the ontology lacks the type, or the type has as many as it may have. */
    left_out: count,
  }),
);

export const ontologyWithExamples = z.strictObject({
  /** The newest version. It is not a new one where nothing was added. */
  ontology: ontologyVersion,
  node_types: addedExamples,
  edge_types: addedExamples,
  /** The project, what the version changes for it and the reread that was started; null without `bind`. */
  moved: changedProject.nullable(),
});

export const projectConfiguration = z.strictObject({
  /** The version that the project is bound to; null without an ontology. */
  ontology: z.strictObject({ id: z.string(), version: count }).nullable(),
  config: projectConfig,
  in_use: z.strictObject({
    embedding_model: z.string(),
    embedding_dimensions: count,
    /** All configured models, to which a project can be moved; the model of new projects comes first. */
    embedding_models: z.array(z.string()),
    max_text_bytes: count,
    /** null when none is configured. */
    language_model: z.string().nullable(),
  }),
});
export const projectList = z.strictObject({
  projects: z.array(
    z.strictObject({ ...projectFields, ontology: z.strictObject({ name: z.string() }).nullable() }),
  ),
});

export const queryChunk = z.strictObject({
  text: z.string(),
  similarity: z.number().min(0).max(1),
  chunk_id: z.string().optional(),
  source_doc_id: z.string().optional(),
  start: count.optional(),
  end: count.optional(),
  ...filePlace,
});

/** One search that led to an answer. */
export const queryStep = z.strictObject({
  /** What was searched for: the question as it was asked, a part of it, or it with a name. */
  query: z.string(),
  /** The name that the search follows; null when it follows none. */
  name: z.string().nullable(),
  /** The sentence from which the name was taken; offsets count UTF-16 code units of the document. null when it follows none. */
  from: z
    .strictObject({
      chunk_id: z.string(),
      source_doc_id: z.string(),
      sentence: z.string(),
      start: count,
      end: count,
    })
    .nullable(),
  /** The chunks that it found and that count for the answer, best first. They need not be among the passages. */
  chunk_ids: z.array(z.string()),
});

/** An entity of an answer. */
export const queryEntity = z.strictObject({
  type: z.string(),
  name: z.string(),
  properties: z.record(z.string(), z.string()),
});

/** A relationship of an answer, by the names of its ends. */
export const queryRelationship = z.strictObject({ source: z.string(), target: z.string(), type: z.string() });

/** A relationship that a person has added to the graph or confirmed there, that the question asks for. */
export const statedRelationship = z.strictObject({
  ...queryRelationship.shape,
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
});

export const queryResult = z.strictObject({
  query: z.string(),
  strategy_used: z.string(),
  results: z.strictObject({
    summary: z.string(),
    entities: z.array(queryEntity),
    relationships: z.array(queryRelationship),
    chunks: z.array(queryChunk),
  }),
  /** What people have stated and no quoted sentence says; absent where there is nothing. Without a language model, the summary begins with it. */
  stated: z.array(statedRelationship).optional(),
  /** Only with `include: ["explain"]` in the request. */
  explain: explanation.optional(),
  /** Only with `include: ["steps"]` in the request: the searches that led to the answer, that for the question itself first. */
  steps: z.array(queryStep).optional(),
});

const resultLists = queryResult.shape.results.shape;

/**
 * The data of an event of an answer as a stream. `chunks`, `entities`, `relationships`, `stated`, `explain` and `steps` are those of the result; the
 * texts of the `summary` events together are its summary. The last event is `done`, or `error` with the status that the answer would have.
 */
export const queryEvent = z.union([
  z.strictObject({ chunks: resultLists.chunks }),
  z.strictObject({ text: z.string() }),
  z.strictObject({ entities: resultLists.entities }),
  z.strictObject({ relationships: resultLists.relationships }),
  z.strictObject({ stated: z.array(statedRelationship) }),
  z.strictObject({ explain: explanation }),
  z.strictObject({ steps: z.array(queryStep) }),
  z.strictObject({ id: z.string(), query: z.string(), strategy_used: z.string() }),
  z.strictObject({ status: z.int(), detail: z.string() }),
]);

export const ontology = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: time,
  schema: ontologySchema,
});

export const ontologyList = z.strictObject({
  ontologies: z.array(z.strictObject({ id: z.string(), name: z.string(), created_at: time })),
});

export const ontologyCheck = z.strictObject({
  valid: z.boolean(),
  /** At most ten, each with its place in the schema, the most fundamental first. */
  faults: z.array(z.string()),
  fault_count: count,
});

export const suggestion = z.strictObject({ name: z.string(), schema: ontologySchema });

export const fault = z.strictObject({ detail: z.string() });
