/** Random requests made from the OpenAPI document: whatever is sent, the document describes the answer. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type EndpointName, endpoints, responses } from "@kcs/contract";
import { createOpenApiDocument, type OpenApiOperation } from "@kcs/contract/openapi";
import fc from "fast-check";
import { type Client, createClient, type Reply } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { type Setting, useService } from "../support/service.ts";
import { valuesOf, wordsOf } from "./generate.ts";

const document = createOpenApiDocument();
const SEED = 20_310_505;
const TIME_PER_OPERATION_MS = 4_000;

/** Answers without an end: only their heads are looked at, elsewhere. */
const STREAMS: readonly string[] = ["watchJob", "watchProject"];
const SCHEMA = { ontology: { hierarchy: [{ level: 0, node_types: { Ship: {} } }], edge_types: [] } };

interface Case {
  readonly path: string;
  readonly key: "owner" | "stranger" | "unknown" | "none";
  readonly raw: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Sends `runs` requests to each operation; call it in a `describe`. */
export function fuzzOperations(setting: Setting, runs: number): void {
  const use = useService(setting, {});
  const clients = new Map<Case["key"], Client>();
  const known = new Map<string, string[]>();

  before(async () => {
    const { owner, stranger, nobody, baseUrl } = use();
    clients.set("owner", owner).set("stranger", stranger).set("none", nobody);
    clients.set("unknown", createClient(baseUrl, `kcs_${"0".repeat(48)}`));
    const { project_id } = await owner.succeed("createProject", { body: { name: "Fuzzed" } });
    const [job] = await ingestAll(owner, project_id, [
      { text: "Wanda lies at Orrin.", source_doc_id: "harbour" },
    ]);
    const { id } = await owner.succeed("createOntology", { body: { name: "Fuzzed", schema: SCHEMA } });
    const answer = await owner.succeed("query", {
      params: { project_id },
      body: { query: "Where does Wanda lie?", include: ["provenance"] },
    });
    known.set("project_id", [project_id]);
    known.set("job_id", [job?.job_id ?? ""]);
    known.set("ontology_id", [id]);
    known.set("source_doc_id", ["harbour"]);
    known.set("chunk_id", [answer.results.chunks[0]?.chunk_id ?? ""]);
  });

  for (const { path, method, operation } of operations.filter(
    (one) => !STREAMS.includes(one.operation.operationId),
  )) {
    test(`${method} ${path} answers as the document says, whatever it is sent`, {
      timeout: 60_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(casesOf(path, operation, known), async (sent) => {
          const client = clients.get(sent.key);
          assert.ok(client);
          const { raw, headers } = sent;
          const reply = await client.root(method, sent.path, { headers, ...(raw !== undefined && { raw }) });
          assertDescribed(operation, reply, sent);
        }),
        { seed: SEED, numRuns: runs, interruptAfterTimeLimit: TIME_PER_OPERATION_MS, endOnFailure: true },
      );
    });
  }

  test("nothing that was sent has hurt the service", async () => {
    const { nobody, logged } = use();
    assert.equal((await nobody.root("GET", "/ready")).status, 200);
    const bugs = logged.filter(({ event }) => event === "request_failed");
    assert.deepEqual(bugs, []);
  });

  test("every operation but the streams was reached", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual(new Set(names), new Set(Object.keys(endpoints)));
    for (const name of STREAMS) assert.ok(names.includes(name));
  });
}

function casesOf(
  path: string,
  operation: OpenApiOperation,
  known: ReadonlyMap<string, readonly string[]>,
): fc.Arbitrary<Case> {
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
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, wordsOf(schema, [])])),
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
      raw: rawBodies(operation),
    })
    .map(({ places, query, headers, key, raw }) => ({
      path:
        path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name] ?? "")) +
        queryText(query),
      key,
      raw,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? ""])),
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

/** Mostly JSON of the schema; now and then no JSON, or nothing. */
function rawBodies(operation: OpenApiOperation): fc.Arbitrary<string | undefined> {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return fc.constant(undefined);
  const value = valuesOf(schema, document.components.schemas).map((one) => JSON.stringify(one) ?? "");
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
  return fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: broken });
}

function assertDescribed(operation: OpenApiOperation, reply: Reply, sent: Case): void {
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
  const { success, response } = endpoints[name];
  assert.equal(reply.status, success, told);
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
