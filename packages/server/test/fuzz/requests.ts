/** Random requests made from the OpenAPI document, and the check that the document describes their answers. */
import assert from "node:assert/strict";
import { type Endpoint, type EndpointName, endpoints, responses } from "@kcs/contract";
import { createOpenApiDocument, type OpenApiOperation } from "@kcs/contract/openapi";
import fc from "fast-check";
import { ingestedFiles } from "../support/files.ts";
import type { Client, Reply } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { formsOf } from "./forms.ts";
import { fittingValuesOf, type Schema, valuesOf, wordsOf } from "./generate.ts";

export interface Case {
  readonly path: string;
  readonly key: "owner" | "stranger" | "unknown" | "none";
  readonly raw: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Ids of what exists, by the name of the parameter that takes them. */
export type Known = ReadonlyMap<string, readonly string[]>;

/** Answers without an end: only their heads are looked at, elsewhere. */
export const STREAMS: readonly string[] = ["watchJob", "watchProject"];
export const UNKNOWN_KEY = `kcs_${"0".repeat(48)}`;
/** Ids that no request makes up, so that the documents are never replaced. */
const DOCUMENT = "the first document";
const FILE = "the first file.txt";
const TEXT =
  "Nordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.";
/** No name server is asked for a label of more than 63 letters, so that a delivery fails at once. */
const WEBHOOK = { url: `https://${"x".repeat(64)}.invalid/` };
const SCHEMA = { ontology: { hierarchy: [{ level: 0, node_types: { Ship: {} } }], edge_types: [] } };

const document = createOpenApiDocument();

export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Creates what the requests work on. */
export async function prepareKnown(owner: Client): Promise<Known> {
  const { project_id } = await owner.succeed("createProject", { body: { name: "Fuzzed" } });
  const [job] = await ingestAll(owner, project_id, [{ text: TEXT, source_doc_id: DOCUMENT }]);
  await ingestedFiles(owner, project_id, [{ path: FILE, content: TEXT }]);
  const { id } = await owner.succeed("createOntology", { body: { name: "Fuzzed", schema: SCHEMA } });
  const answer = await owner.succeed("query", {
    params: { project_id },
    body: { query: "Who founded Nordvik Robotics?", include: ["provenance"] },
  });
  const { entities } = await owner.succeed("listEntities", { params: { project_id } });
  const entityIds = entities.map(({ entity_id }) => entity_id);
  const { webhook_id } = await owner.succeed("createWebhook", { body: WEBHOOK });
  return new Map([
    ["project_id", [project_id]],
    ["job_id", [job?.job_id ?? ""]],
    ["ontology_id", [id]],
    ["source_doc_id", [DOCUMENT, FILE]],
    ["chunk_id", [answer.results.chunks[0]?.chunk_id ?? ""]],
    ["entity_id", entityIds],
    ...(["from", "to"] as const).map((end) => [end, entityIds] as const),
    ["webhook_id", [webhook_id]],
  ]);
}

export function casesOf(path: string, operation: OpenApiOperation, known: Known): fc.Arbitrary<Case> {
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const inHeader = parameters.filter((parameter) => parameter.in === "header");
  const places = fc.record(
    Object.fromEntries(
      inPath.map(({ name, schema }) => [
        name,
        wordsOf(schema, deletes(operation) ? [] : (known.get(name) ?? [])),
      ]),
    ),
  );
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, wordsOf(schema, known.get(name) ?? [])])),
    {
      requiredKeys: [],
    },
  );
  const headers = fc.record(
    Object.fromEntries(inHeader.map(({ name }) => [name.toLowerCase(), fc.stringMatching(/^[ -~]{1,80}$/)])),
    { requiredKeys: [] },
  );
  return fc
    .record({
      places,
      query,
      headers,
      key: fc.oneof(
        { weight: 9, arbitrary: fc.constant("owner" as const) },
        { weight: 1, arbitrary: fc.constantFrom("stranger" as const, "unknown" as const, "none" as const) },
      ),
      body: bodiesOf(operation),
    })
    .map(({ places, query, headers, key, body: { raw, type } }) => ({
      path:
        path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name] ?? "")) +
        queryText(query),
      key,
      raw,
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? ""])),
        ...(type !== undefined && { "content-type": type }),
      },
    }));
}

/** What the other cases work on must stay. */
function deletes(operation: OpenApiOperation): boolean {
  return operation.operationId.startsWith("delete");
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

interface SentBody {
  readonly raw: string | undefined;
  /** undefined: the client's default. */
  readonly type?: string;
}

function bodiesOf(operation: OpenApiOperation): fc.Arbitrary<SentBody> {
  const { "application/json": json, "multipart/form-data": form } = operation.requestBody?.content ?? {};
  if (form !== undefined) {
    const { files: _files, ...fields } = propertiesOf(form.schema);
    return formsOf(fields);
  }
  return json === undefined
    ? fc.constant({ raw: undefined })
    : jsonTexts(json.schema).map((raw) => ({ raw }));
}

function propertiesOf({ $ref }: Schema): Readonly<Record<string, Schema>> {
  const schema = document.components.schemas[String($ref).slice(String($ref).lastIndexOf("/") + 1)];
  return (schema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>; // As JSON Schema has them.
}

/** Mostly JSON of the schema; now and then no JSON, or nothing. */
function jsonTexts(schema: Schema): fc.Arbitrary<string> {
  const { schemas } = document.components;
  const jsonOf = (value: unknown) => JSON.stringify(value) ?? "";
  const broken = fc.constantFrom(
    "",
    "{",
    "[1,",
    "nul",
    '{"a":1}}',
    "\ufeff{}",
    '{"a":"\\ud800"}',
    "[".repeat(3_000),
  );
  return fc.oneof(
    { weight: 6, arbitrary: valuesOf(schema, schemas).map(jsonOf) },
    { weight: 3, arbitrary: fittingValuesOf(schema, schemas).map(jsonOf) },
    { weight: 1, arbitrary: broken },
  );
}

/** Fails for a status of 500 or above, and for an answer that the document does not describe. */
export function assertDescribed(operation: OpenApiOperation, reply: Reply, sent: Case): void {
  const told = `${JSON.stringify(sent).slice(0, 600)} → ${reply.status} ${reply.text.slice(0, 300)}`;
  const name = operation.operationId as EndpointName; // The document is made from the table.
  assert.ok(reply.status < 500, told);
  if (leftPath(reply)) return;
  assert.ok(String(reply.status) in operation.responses, `the document does not know this answer: ${told}`);
  if (reply.status >= 400) {
    assert.equal(responses.fault.safeParse(reply.json).success, true, told);
    return;
  }
  if (reply.status === 304) return;
  const { success, response, otherTypes = [] }: Endpoint = endpoints[name];
  assert.equal(reply.status, success, told);
  if (otherTypes.includes(reply.headers["content-type"]?.split(";")[0] ?? "")) return;
  if (response !== null) assert.equal(response.safeParse(reply.json).error?.message, undefined, told);
}

/** What no router can read: told apart before any operation is known. */
function leftPath(reply: Reply): boolean {
  return reply.status === 414 || /^path: /.test(detailOf(reply) ?? "");
}

function detailOf(reply: Reply): string | null {
  const read = responses.fault.safeParse(reply.json);
  return read.success ? read.data.detail : null;
}
