import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { z } from "zod";
import { retryJobsBody } from "../bodies.ts";
import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from "../endpoints.ts";
import { operationDetails } from "./all-details.ts";
import { createOpenApiDocument } from "./document.ts";
import { errorsOf } from "./operation-details.ts";

const document = createOpenApiDocument();
const table = Object.entries<Endpoint>(endpoints);

/** Schemas of objects below a schema, as JSON. */
function objectsWithin(schema: object): readonly string[] {
  return Object.values(schema).flatMap((member: unknown) => {
    if (typeof member !== "object" || member === null) return [];
    const own = "type" in member && member.type === "object" ? [JSON.stringify(member)] : [];
    return [...own, ...objectsWithin(member)];
  });
}

describe("the OpenAPI document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    assert.deepEqual(result, { valid: true });
    assert.match(document.openapi, /^3\.1\./);
  });

  test("refers to every schema and header, and to no other", () => {
    const { schemas, headers } = document.components;
    const known = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(headers).map((name) => `headers/${name}`),
    ];
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]*)"/g);
    assert.deepEqual(new Set([...references].map(([, name]) => name)), new Set(known));
  });

  test("names what several kinds of a union have in common, so that generated clients make one class of it", () => {
    const unnamed: unknown[] = [];
    const inspect = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      const kinds: unknown = (node as { oneOf?: unknown }).oneOf;
      if (Array.isArray(kinds)) {
        const shapes = kinds.map((kind) => new Set(objectsWithin(kind)));
        unnamed.push(
          ...shapes.flatMap((shape, at) => [...shape].filter((text) => shapes[at + 1]?.has(text))),
        );
      }
      for (const member of Object.values(node)) inspect(member);
    };
    inspect(document.components.schemas);
    assert.deepEqual(unnamed, []);
  });

  test("has a licence, a contact and the headers of each response", () => {
    const { license, contact } = document.info;
    assert.deepEqual([license.identifier, contact.name], ["Apache-2.0", "The operator of this service"]);
    const headersOf = (name: EndpointName, status: number) => {
      const { path, method } = endpoints[name];
      const { responses } = document.paths[API_PREFIX + path]?.[method.toLowerCase()] ?? {};
      return Object.keys(responses?.[status]?.headers ?? {});
    };
    for (const [name, { method, response }] of table) {
      const at = (status: number) => headersOf(name as EndpointName, status); // Names of the same table.
      assert.deepEqual([at(401), at(503)], [["WWW-Authenticate"], ["Retry-After"]], name);
      if (method === "GET" && response !== null) assert.deepEqual([at(200), at(304)], [["ETag"], ["ETag"]]);
    }
    const limited = ["RateLimit", "RateLimit-Policy"];
    for (const name of ["ingest", "ingestBatch", "retryJob"] as const) {
      assert.deepEqual(headersOf(name, 200), ["Idempotency-Replayed", ...limited]);
      assert.deepEqual(headersOf(name, 429), [...limited, "Retry-After"]);
      assert.deepEqual(headersOf(name, 409), ["Retry-After"]);
    }
    assert.deepEqual(headersOf("exportGraph", 200), ["Content-Disposition"]);
  });

  test("describes files and event streams", () => {
    const answers = (path: string) => document.paths[API_PREFIX + path]?.["get"]?.responses ?? {};
    const { content = {} } = answers("/projects/{project_id}/graph/export")[200] ?? {};
    assert.deepEqual(
      Object.entries(content).map(([type, { schema }]) => [type, schema["type"]]),
      [
        ["application/ld+json", "object"],
        ["application/graphml+xml", "string"],
        ["text/csv", "string"],
      ],
    );
    const streams = ["/projects/{project_id}/jobs/{job_id}/events", "/projects/{project_id}/events"];
    for (const path of streams) {
      const { parameters = [] } = document.paths[API_PREFIX + path]?.["get"] ?? {};
      assert.ok(parameters.some(({ name }) => name === "Last-Event-ID"));
      assert.equal("204" in answers(path), path.includes("{job_id}"));
    }
  });

  for (const [name, endpoint] of table) {
    const details = operationDetails[name];
    test(`describes ${name} (write its details in packages/contract/src/openapi/details, then npm run api)`, () => {
      assert.ok(details !== undefined, `${name} has no details`);
      const operation = document.paths[API_PREFIX + endpoint.path]?.[endpoint.method.toLowerCase()];
      assert.equal(operation?.operationId, name);
      assert.equal(operation?.["x-additive"] ?? false, !endpoint.documented);
      assert.ok(operation?.responses["401"] !== undefined);
      if (endpoint.response !== null) assert.notEqual(details.example, undefined, `${name} has no example`);
    });

    test(`has examples of ${name} that match its schemas`, () => {
      if (endpoint.response !== null) assertMatches(endpoint.response, details?.example);
      if (details?.body !== undefined) assertMatches(details.body.schema, details.body.example);
    });
  }

  test("has details only for endpoints of the table", () => {
    assert.deepEqual(new Set(Object.keys(operationDetails)), new Set(table.map(([name]) => name)));
  });

  test("lists the error texts that the contract fixes at their endpoints", () => {
    const fixed: readonly (readonly [name: string, status: number, detail: string])[] = [
      ["createProject", 400, "Vector-only projects cannot specify an ontology"],
      ["createOntology", 400, "Invalid ontology schema: missing hierarchy definition"],
      ["suggestOntology", 400, "Use case description is required"],
      ["listOntologies", 401, "Invalid API key"],
      ["getProject", 403, "You don't have access to this project"],
      ["listJobs", 403, "User is not authorized for this project"],
      ["ingest", 403, "Token usage limit exceeded"],
      ["createProject", 404, "Ontology not found or not accessible"],
      ["deleteProject", 404, "Project <project_id> not found"],
      ["getJob", 404, "Job not found"],
      ["getOntology", 404, "Ontology not found"],
      ["ingest", 429, "Rate limit exceeded. Try again in 60 seconds."],
      ["listOntologies", 417, 'Expect: expected "100-continue" or no header'],
      ["getProject", 400, "path: has a malformed percent-encoding"],
      ["deleteProject", 500, "Failed to delete vector data: <reason>"],
      ["suggestOntology", 500, "Failed to generate ontology suggestion: <reason>"],
    ];
    for (const [name, status, detail] of fixed) {
      const endpoint = table.find(([known]) => known === name)?.[1];
      const details = operationDetails[name];
      assert.ok(endpoint !== undefined && details !== undefined);
      const answers = errorsOf(endpoint.path, details);
      assert.ok(
        answers.some((answer) => answer.status === status && answer.detail === detail),
        `${name} ${status} ${detail}`,
      );
    }
  });

  test("includes the lengths, ranges and parameters of the schemas", () => {
    const { CreateProject, Query } = document.components.schemas as Record<
      string,
      { properties: Readonly<Record<string, object>> }
    >;
    const { pattern = "", ...name } = (CreateProject?.properties["name"] ?? {}) as { pattern?: string };
    assert.deepEqual(name, { type: "string", minLength: 1, maxLength: 200 });
    const names = ["a", " a b\n", "", " \n", "\0", "a\0"];
    assert.deepEqual(
      names.filter((one) => new RegExp(pattern, "u").test(one)),
      ["a", " a b\n"],
    );
    assert.match(JSON.stringify(Query?.properties["top_k"]), /"maximum":100/);
    assert.match(JSON.stringify(Query?.properties["filter"]), /"gte":\{"type":"number"\}/);
    const parameters = document.paths[`${API_PREFIX}/projects/{project_id}/jobs`]?.["get"]?.parameters;
    assert.deepEqual(
      parameters?.map((parameter) => [parameter.in, parameter.name, parameter.required]),
      [
        ["path", "project_id", true],
        ["query", "limit", false],
        ["query", "offset", false],
        ["header", "If-None-Match", false],
      ],
    );
  });
});

function assertMatches(schema: z.ZodType, example: unknown): void {
  const { error } = schema.safeParse(example);
  assert.equal(error?.message, undefined);
}

test("the message that failed jobs are chosen by is well formed and without NUL, which no stored one has", () => {
  assert.equal(retryJobsBody.safeParse({ error_message: "The file is empty." }).success, true);
  for (const message of ["a\0b", "a\ud800", "", "x".repeat(5_000)])
    assert.equal(retryJobsBody.safeParse({ error_message: message }).success, false, message.slice(0, 9));
});
