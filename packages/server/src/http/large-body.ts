/** Bodies that may be large: small ones are read in this thread, large ones in the body thread. */

import { bodies } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { OntologyComparison } from "../domain/ontology/compare.ts";
import type { CheckedExamples } from "../domain/ontology/with-examples.ts";
import type { OntologyCheck } from "../domain/ontology-check.ts";
import type { TypeNames } from "../domain/renamed-types.ts";
import type { OntologyFormat, SentOntologyFile } from "../ports/ontology-files.ts";
import type { Sitemap } from "../ports/sitemap-reader.ts";
import type { IngestedText } from "../services/ingestion.ts";
import type { NewOntology } from "../services/ontologies.ts";
import { check, type JsonBody, parseJson, registerBodies } from "./body.ts";
import { countValues, MAX_VALUES } from "./json-size.ts";
import { readComparison, readNewOntology, readSchemaCheck } from "./ontology-body.ts";
import { joinBytes, lengthOf } from "./receive-body.ts";
import type { ApiReference } from "./reference/make-reference.ts";

/** What a body of each form becomes, and what the thread that reads bodies does besides. */
export interface BodyForms {
  readonly document: readonly IngestedText[];
  /** Its member `documents` lists several. */
  readonly batch: readonly IngestedText[];
  readonly ontology: NewOntology;
  /** A schema of which only the faults are requested. */
  readonly schema: OntologyCheck;
  /** Not sent by clients: `before` and `after` are schemas, `graph` the types of a graph. */
  readonly comparison: OntologyComparison;
  /** A file in another format. It and what follows is read by the thread alone. */
  readonly ontologyFile: SentOntologyFile;
  /** Not sent by clients, like the rest: a page that was fetched. */
  readonly sitemap: Sitemap;
  /** An ontology with its format, as a file. */
  readonly ontologyText: Uint8Array<ArrayBuffer>;
  /** Corrections with a schema (`bodyWithSchema`). */
  /** What the ontology calls types that it has for aliases alone. */
  readonly corrections: TypeNames;
  /** Examples with a schema. */
  readonly examples: CheckedExamples;
  /** The documents about the API; the bytes are the address of the service. */
  readonly reference: ApiReference;
}

/** What is also read outside the thread. */
export type PlainForm = "document" | "batch" | "ontology" | "schema" | "comparison";

export type BodyForm = keyof BodyForms;

/** The content of a body; validated when called. @throws ServiceError that lists the faults of the body */
export type Content<Form extends BodyForm> = () => BodyForms[Form];

/** A body in pieces, each in its own buffer, so that they can be transferred to another thread. */
export interface LargeBody<Form extends BodyForm = BodyForm> {
  readonly form: Form;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** Of an ontology's file. */
  readonly format?: OntologyFormat;
}

/**
 * Accounts take turns.
 * @throws ServiceError immediately for a body that is not UTF-8 or not JSON, and `unavailable` when it cannot
 * be read now
 */
export type ReadLargeBody = <Form extends BodyForm>(
  body: LargeBody<Form>,
  accountId?: string,
) => Promise<Content<Form>>;

/**
 * Decodes and parses immediately; validates when the content is
 * requested, which is after the access check.
 */
export type ReadBody = <Form extends PlainForm>(form: Form, bytes: Uint8Array) => Content<Form>;

/**
 * Size from which a body is large. Parsing 128 KiB of text takes 0.5 ms, and encoding them, which the PostgreSQL store does in
 * the main thread, another 2 ms. The transfer to another thread takes a tenth of the parsing time. An ontology with misspelt
 * names takes time by the square of its length to check: 16 KiB 30 ms. Several bodies are read in one turn of the event loop.
 */
const LARGE_BYTES: Readonly<Record<PlainForm, number>> = {
  document: 128 * 1024,
  batch: 128 * 1024,
  ontology: 2 * 1024,
  schema: 2 * 1024,
  comparison: 0,
};

export function createReadBody(maxTextBytes: number): ReadBody {
  const document = bodies.ingestBody(maxTextBytes);
  const batch = bodies.ingestBatchBody(maxTextBytes);
  const readers: { readonly [Form in PlainForm]: (body: JsonBody) => BodyForms[Form] } = {
    document: ({ value }) => [documentOf(check(document, value))],
    batch: ({ value }) => check(batch, value).documents.map(documentOf),
    ontology: readNewOntology,
    schema: readSchemaCheck,
    comparison: readComparison,
  };
  return (form, bytes) => {
    // Of a comparison, each schema has passed by itself.
    const most = form === "comparison" ? 2 * MAX_VALUES.bodyThread + 1_000 : MAX_VALUES.bodyThread;
    const body = parseJson(bytes, most);
    return () => readers[form](body);
  };
}

/** Adds routes in a Fastify scope of their own, whose bodies are of the form; `contentOf` is that of a request's body. */
export function addLargeBodyScope<Form extends PlainForm>(
  app: FastifyInstance,
  deps: { readonly form: Form; readonly maxTextBytes: number; readonly readLargeBody: ReadLargeBody },
  addRoutes: (scope: FastifyInstance, contentOf: (request: FastifyRequest) => BodyForms[Form]) => void,
): void {
  const { form, readLargeBody } = deps;
  const readBody = createReadBody(deps.maxTextBytes);

  function read({ caller }: FastifyRequest, pieces: LargeBody["pieces"]) {
    const accountId = caller?.accountId ?? "";
    if (lengthOf(pieces) >= LARGE_BYTES[form]) return readLargeBody({ form, pieces }, accountId);
    const bytes = joinBytes(pieces);
    const isSmall = countValues(bytes, MAX_VALUES.mainThread) <= MAX_VALUES.mainThread;
    return isSmall ? readBody(form, bytes) : readLargeBody({ form, pieces: [bytes] }, accountId);
  }

  app.register((scope, _options, done) => {
    registerBodies(scope, read);
    addRoutes(scope, ({ body }) => {
      // Bodies come from `read` only. It is not called for a request without a body.
      const content = (body as Content<Form> | undefined) ?? readBody(form, new Uint8Array());
      return content();
    });
    done();
  });
}

type IngestBody = z.output<ReturnType<typeof bodies.ingestBody>>;

function documentOf({ text, source_doc_id, metadata }: IngestBody): IngestedText {
  return { text, sourceDocId: source_doc_id, metadata };
}
