import { z } from "zod";
import { expecting, integerParameter, nameField, optional, textField } from "./fields.ts";
import { filterField } from "./filter.ts";
import { asOfField, choiceParameter } from "./list-parameters.ts";
import { metadataField } from "./metadata.ts";
import { ontologyFormatNames } from "./ontology-formats.ts";

export * from "./correction-bodies.ts";
export * from "./feedback-bodies.ts";
export * from "./list-parameters.ts";
export { matchBody } from "./match-body.ts";
export * from "./webhook-bodies.ts";

export const LIMITS = {
  nameCharacters: 200,
  /** Of a job's error. */
  errorCharacters: 4_000,
  sourceDocIdCharacters: 512,
  queryBytes: 64 * 1024,
  useCaseBytes: 256 * 1024,
  ontologyFileBytes: 2 * 1024 * 1024,
  batchDocuments: 1000,
  rereadDocuments: 128,
  uploadFiles: 100,
  batchBytes: 64 * 1024 * 1024,
  topK: { min: 1, max: 100, fallback: 10 },
  listPage: 10_000,
  jobPage: { min: 1, max: 1000, fallback: 100 },
} as const;

function body<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, expecting("a JSON object"));
}

export const createProjectBody = body({
  name: nameField(LIMITS.nameCharacters),
  vector_only: z
    .boolean(expecting("true or false"))
    .nullish()
    .transform((value) => value ?? false),
  ontology_id: optional(z.string(expecting("the id of an ontology"))),
});

export const renameProjectBody = body({ name: nameField(LIMITS.nameCharacters) });

const MAX_ONTOLOGY_VERSION = 1_000_000;
const versionExpected = "the number of a version";

export const changeProjectBody = body({
  name: optional(nameField(LIMITS.nameCharacters)),
  ontology_id: optional(z.string(expecting("the id of an ontology"))),
  ontology_version: optional(
    z
      .int(expecting(versionExpected))
      .min(1, { error: `expected ${versionExpected}` })
      .max(MAX_ONTOLOGY_VERSION, {
        error: `expected ${versionExpected}`,
      }),
  ),
}).refine((given) => Object.values(given).some((value) => value !== undefined), {
  error: "has nothing to change, expected name, ontology_id or ontology_version",
});

/** Strict: a change that was meant to be tried must not be made for a slip of the pen. */
export const changeProjectParameters = z.strictObject(
  { dry_run: choiceParameter(["true", "false"], "false") },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown parameter ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}, expected dry_run or none`
        : undefined,
  },
);

const versionParameter = integerParameter({ min: 1, max: MAX_ONTOLOGY_VERSION, fallback: null });

export const ontologyParameters = z.object({ version: versionParameter });

const ontologyFormat = choiceParameter(ontologyFormatNames, "turtle");

export const importOntologyParameters = z.object({ format: ontologyFormat });

export const exportOntologyParameters = z.object({ format: ontologyFormat, version: versionParameter });

export const importOntologyBody = body({
  content: textField(LIMITS.ontologyFileBytes),
  name: optional(nameField(LIMITS.nameCharacters)),
});

export const ontologyDiffParameters = z.object({ before: versionParameter, after: versionParameter });

export const reembedBody = body({
  embedding: optional(nameField(300)),
});

/** URL parsers resolve these two as path segments, percent-encoded or not, so such a document would have no URL. */
const DOT_SEGMENTS: readonly string[] = [".", ".."];

const newSourceDocId = nameField(LIMITS.sourceDocIdCharacters).refine((id) => !DOT_SEGMENTS.includes(id), {
  error: 'is a step in a path, expected an id other than "." and ".."',
});

export function ingestBody(maxTextBytes: number) {
  return body({
    text: textField(maxTextBytes),
    source_doc_id: newSourceDocId,
    metadata: metadataField(),
  });
}

export const ingestUrlBody = body({
  url: nameField(LIMITS.sourceDocIdCharacters),
  source_doc_id: optional(newSourceDocId),
  metadata: metadataField(),
});

/** The fields of a form beside its files; they hold for each of them. */
export const uploadFields = body({
  metadata: metadataField(),
  source_doc_id: optional(newSourceDocId),
  source_doc_ids: optional(z.array(newSourceDocId, expecting("an array of ids"))),
});

/** The form as the OpenAPI document describes it. */
export const uploadForm = body({
  files: z
    .array(z.string().meta({ format: "binary" }))
    .min(1)
    .max(LIMITS.uploadFiles),
  metadata: z.string().optional(),
  source_doc_id: newSourceDocId.optional(),
  source_doc_ids: z.string().optional(),
});

/** The ids that files get from their paths. */
export const uploadPaths = body({ files: z.array(newSourceDocId) });

export function ingestBatchBody(maxTextBytes: number) {
  const expected = `an array of 1 to ${LIMITS.batchDocuments} documents`;
  return body({
    documents: z
      .array(ingestBody(maxTextBytes), expecting(expected))
      .min(1, { error: `is empty, expected ${expected}` })
      .max(LIMITS.batchDocuments, {
        error: (issue) => `has ${(issue.input as unknown[]).length} items, expected ${expected}`,
      }),
  });
}

const topKExpected = `an integer from ${LIMITS.topK.min} to ${LIMITS.topK.max}`;

const included = ["provenance", "explain", "steps"] as const;
const includedExpected = '"provenance", "explain" or "steps"';

const maxPerDocumentExpected = `an integer from 1 to ${LIMITS.topK.max}`;

/** How many chunks of one document an answer may have; as many as `top_k` are no limit. */
export const maxPerDocumentField = z
  .int(expecting(maxPerDocumentExpected))
  .min(1, { error: (issue) => `got ${String(issue.input)}, expected ${maxPerDocumentExpected}` })
  .max(LIMITS.topK.max, {
    error: (issue) => `got ${String(issue.input)}, expected ${maxPerDocumentExpected}`,
  })
  .nullish()
  .transform((value) => value ?? null);

export const queryBody = body({
  query: textField(LIMITS.queryBytes),
  mode: z
    .enum(["static", "dynamic"], expecting('"static" or "dynamic"'))
    .nullish()
    .transform((value) => value ?? "static"),
  top_k: z
    .int(expecting(topKExpected))
    .min(LIMITS.topK.min, { error: (issue) => `got ${String(issue.input)}, expected ${topKExpected}` })
    .max(LIMITS.topK.max, { error: (issue) => `got ${String(issue.input)}, expected ${topKExpected}` })
    .nullish()
    .transform((value) => value ?? LIMITS.topK.fallback),
  max_per_document: maxPerDocumentField,
  include: z
    .array(z.enum(included, expecting(includedExpected)), expecting(`an array of ${includedExpected}`))
    .max(10, { error: "has too many items, expected at most 10" })
    .nullish()
    .transform((value) => value ?? []),
  filter: filterField(nameField(LIMITS.sourceDocIdCharacters)),
  as_of: asOfField,
});

/** For a missing or blank use case the contract fixes the error text: see `services/ontologies`. */
export const suggestBody = body({
  usecase: textField(LIMITS.useCaseBytes),
});

const ontologySchema = z.looseObject({}, expecting("an object with the member ontology"));

/** The faults of the schema are the response of this endpoint, so none of them makes the body invalid. */
export const lintOntologyBody = body({ schema: ontologySchema });

/** Checks the container only. The domain's rules for ontologies check the schema as a whole. */
export const createOntologyBody = body({
  name: nameField(LIMITS.nameCharacters),
  schema: ontologySchema,
});

export const jobPageParameters = z.object({
  limit: integerParameter(LIMITS.jobPage),
  offset: integerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
});

export const deliveryListParameters = jobPageParameters.extend({
  status: choiceParameter(["pending", "delivered", "failed"], null),
});

const idsExpected = `an array of 1 to ${LIMITS.rereadDocuments} ids of documents`;

export const rereadDocumentsBody = body({
  source_doc_ids: z
    .array(nameField(LIMITS.sourceDocIdCharacters), expecting(idsExpected))
    .min(1, { error: `is empty, expected ${idsExpected}` })
    .max(LIMITS.rereadDocuments, { error: `has too many items, expected ${idsExpected}` }),
});

const jobStatuses = ["pending", "running", "completed", "failed"] as const;

export const jobListParameters = jobPageParameters.extend({ status: choiceParameter(jobStatuses, null) });

/** Which failed jobs to retry: those with this `error_message`, or all. */
export const retryJobsBody = body({ error_message: optional(nameField(LIMITS.errorCharacters)) });

/** An addition to the lists that the published contract returns in full: without `limit` all items are returned. */
export const listParameters = z.object({
  limit: integerParameter({ min: 1, max: LIMITS.listPage, fallback: null }),
  offset: integerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
});
