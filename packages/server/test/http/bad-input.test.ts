import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type EndpointName, endpoints } from "@kcs/contract";
import fc from "fast-check";
import { type CallOptions, endpointPath, type Reply } from "../support/http-client.ts";
import { createProject, ingestAll, placedChunks, waitForJob } from "../support/ingestion.ts";
import { describeOnEach, type TestService, useService } from "../support/service.ts";

const SEED = 20_310_411;
const names = Object.keys(endpoints) as EndpointName[]; // The keys of a constant.
const posts = names.filter((name) => endpoints[name].method === "POST");

/** A documented text may repeat the id that was not found, and that may be as long as a path. */
const LONGEST_DETAIL = 16 * 1024;

const oddKey = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "",
);
const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "\0",
    "\ud800",
    "a\udfff",
    "\ufeff",
    " ",
    "null",
    "x".repeat(5000),
    "{{7*7}}",
    "%00",
    "'; --",
  ),
);
const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 1e308, 5e-324, 2 ** 53, -(2 ** 63), 100, 101),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    oddText,
    oddNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(oddKey, fc.string({ maxLength: 8 })), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const nearCondition = fc.oneof(
  fc.array(fc.oneof(oddText, oddNumber), { maxLength: 3 }),
  fc.record({ gt: oddNumber, gte: oddNumber, lt: oddNumber, lte: oddNumber }, { requiredKeys: [] }),
);

/** Members that bodies have, each with anything, or with something nearly right. */
const nearBody = fc.record(
  {
    name: fc.oneof(oddText, anyValue),
    vector_only: fc.oneof(fc.boolean(), anyValue),
    ontology_id: fc.oneof(oddText, anyValue),
    text: fc.oneof(oddText, anyValue),
    source_doc_id: fc.oneof(oddText, anyValue),
    metadata: fc.oneof(
      fc.dictionary(fc.oneof(oddKey, oddText), fc.oneof(oddText, oddNumber), { maxKeys: 4 }),
      anyValue,
    ),
    documents: fc.oneof(
      fc.array(fc.record({ text: oddText, source_doc_id: oddText }, { requiredKeys: [] }), { maxLength: 3 }),
      anyValue,
    ),
    query: fc.oneof(oddText, anyValue),
    mode: fc.oneof(fc.constantFrom("static", "dynamic"), anyValue),
    top_k: fc.oneof(oddNumber, anyValue),
    include: fc.oneof(fc.array(fc.constant("provenance"), { maxLength: 12 }), anyValue),
    filter: fc.oneof(
      fc.record(
        {
          source_doc_id: fc.oneof(oddText, fc.array(oddText, { maxLength: 3 }), anyValue),
          metadata: fc.dictionary(fc.oneof(oddKey, oddText), fc.oneof(nearCondition, anyValue), {
            maxKeys: 3,
          }),
        },
        { requiredKeys: [] },
      ),
      anyValue,
    ),
    usecase: fc.oneof(oddText, anyValue),
    schema: fc.oneof(
      fc.record({ ontology: fc.record({ hierarchy: anyValue, edge_types: anyValue }, { requiredKeys: [] }) }),
      fc.record({
        ontology: fc.record({
          hierarchy: fc.array(fc.record({ level: oddNumber, node_types: fc.dictionary(oddKey, anyValue) })),
        }),
      }),
      anyValue,
    ),
  },
  { requiredKeys: [] },
);

const rawBody = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.tuple(nearBody, fc.nat(200)).map(([value, cut]) => JSON.stringify(value).slice(0, cut)),
  fc.tuple(anyValue, fc.nat(40), fc.nat(255)).map(([value, at, byte]) => {
    const bytes = Buffer.from(JSON.stringify(value));
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
  fc.constantFrom(
    "[".repeat(50_000),
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
    `{"name":${"9".repeat(400)}}`,
    '{"name":"a","name":{"__proto__":1}}',
    '{"name":"a","vector_only":true,"__proto__":{"ontology_id":"x"}}',
    '{"query":"a","top_k":1e400}',
    '{"schema":{"ontology":{"hierarchy":[{"level":0,"node_types":{"__proto__":{}}}]}},"name":"odd"}',
    `{"schema":{"ontology":{"hierarchy":${"[".repeat(3000)}${"]".repeat(3000)}}},"name":"deep"}`,
    `{"schema":{"ontology":{"hierarchy":[{"level":0,"node_types":{},"x":${"[".repeat(3000)}${"]".repeat(3000)}}]}},"name":"deep"}`,
  ),
);

const contentType = fc.oneof(
  { weight: 4, arbitrary: fc.constant("application/json") },
  fc.constantFrom(
    "application/json; charset=utf-16",
    "text/json",
    "application/x-json",
    "*/*",
    ";",
    "application/json,text/plain",
  ),
);

const queryString = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom("limit", "offset", "limit[]", "__proto__", "constructor"), oddText),
      fc.oneof(oddText, oddNumber.map(String), fc.constantFrom("1", "-1", "1000", "0x10", "%ff", "Infinity")),
    ),
    { maxLength: 4 },
  )
  .chain((pairs) =>
    fc.constantFrom(
      pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&"),
      pairs.map(([name]) => escaped(name)).join("&&="),
    ),
  );

/** As a URL part, with what no URL can say left as a replacement character. */
function escaped(text: string): string {
  return text === "%ff" ? text : encodeURIComponent(text.toWellFormed());
}

/** Either a success, or an error in the documented form that is no fault of the service. */
function assertCivil(reply: Reply, request: string): void {
  const told = () => `${request} answered ${reply.status} ${reply.text.slice(0, 300)}`;
  if (reply.status < 400) return;
  assert.deepEqual(Object.keys(reply.json ?? {}), ["detail"], told());
  const { detail } = reply.json as { detail: unknown }; // Just seen to be there.
  assert.ok(typeof detail === "string" && detail !== "" && detail.length < LONGEST_DETAIL, told());
  assert.doesNotMatch(detail, /\bat \S+\.ts:|node_modules|SQLITE|TypeError|undefined/, told());
  assert.ok(reply.status < 500, told());
}

async function assertHealthy(service: TestService): Promise<void> {
  assert.equal((await service.nobody.root("GET", "/ready")).status, 200);
  const errors = service.logged.filter((entry) => entry.level === "error");
  assert.deepEqual(
    errors.map((entry) => String(entry["error"])),
    [],
  );
  const project_id = await createProject(service.owner, "Still well");
  await ingestAll(service.owner, project_id, [{ text: "All is well.", source_doc_id: "a" }]);
  assert.equal((await placedChunks(service.owner, project_id)).length, 1);
}

describeOnEach((setting) => {
  const use = useService(setting);
  let params: Readonly<Record<string, string>> = {};
  before(async () => {
    const id = await createProject(use().owner);
    params = { project_id: id, job_id: "job_none", ontology_id: "ont_none" };
  });

  async function post(name: EndpointName, options: CallOptions): Promise<void> {
    const reply = await use().owner.call("POST", endpointPath(name, { params }), options);
    assertCivil(
      reply,
      `POST ${endpoints[name].path} ${String(options.raw ?? JSON.stringify(options.body)).slice(0, 300)}`,
    );
  }

  describe("whatever is sent, the answer is civil and the service goes on", () => {
    test("bodies of nearly the right form", async () => {
      const property = fc.asyncProperty(fc.constantFrom(...posts), nearBody, (name, body) =>
        post(name, { body }),
      );
      await fc.assert(property, { seed: SEED, numRuns: 120 });
      await assertHealthy(use());
    });

    test("bodies of any JSON", async () => {
      const property = fc.asyncProperty(fc.constantFrom(...posts), anyValue, (name, body) =>
        post(name, { body }),
      );
      await fc.assert(property, { seed: SEED, numRuns: 80 });
      await assertHealthy(use());
    });

    test("bodies that are no JSON, no UTF-8, cut off, deep, or of other media types", async () => {
      const property = fc.asyncProperty(fc.constantFrom(...posts), rawBody, contentType, (name, raw, type) =>
        post(name, { raw, headers: { "content-type": type } }),
      );
      await fc.assert(property, { seed: SEED, numRuns: 120 });
      await assertHealthy(use());
    });

    test("every endpoint that takes a body refuses one of 65 levels, by its text alone", async () => {
      const raw = `{"a":${"[".repeat(64)}`;
      // A form is no JSON, whatever is in it.
      const paths = posts
        .filter((name) => name !== "uploadFiles")
        .map((name) => `/api/v1${endpointPath(name, { params })}`);
      const others = ["/mcp", "/api/auth/sign-in/email", "/api/auth/set-up"];
      for (const path of [...paths, ...others]) {
        const { status, json } = await use().owner.root("POST", path, { raw });
        const detail = "body: is nested too deeply, expected at most 64 levels";
        assert.deepEqual([status, json], [400, { detail }], path);
      }
    });

    test("query strings and ids", async () => {
      const gets = names.filter((name) => endpoints[name].method === "GET");
      const property = fc.asyncProperty(
        fc.constantFrom(...gets),
        queryString,
        fc.option(oddText),
        async (name, query, id) => {
          // A stream of what exists has no end.
          const text = id ?? ("eventData" in endpoints[name] ? "none" : null);
          const odd =
            text === null
              ? params
              : Object.fromEntries(Object.keys(params).map((key) => [key, text.toWellFormed()]));
          const path = `${endpointPath(name, { params: odd })}?${query}`;
          assertCivil(await use().owner.call("GET", path), `GET ${path}`);
        },
      );
      await fc.assert(property, { seed: SEED, numRuns: 80 });
      await assertHealthy(use());
    });
  });

  test("every text that is accepted is ingested, and each character of it but space is in a chunk", async () => {
    const { owner } = use();
    const unit = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.constantFrom(
        ". ",
        "\n\n",
        "\r\n",
        "# ",
        "```\n",
        "| a | b |\n",
        "\0",
        "\u2028",
        "字".repeat(200),
        "x".repeat(700),
      ),
    );
    const text = fc
      .array(unit, { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join("").toWellFormed())
      .filter((joined) => joined.trim() !== "");
    const property = fc.asyncProperty(fc.array(text, { minLength: 8, maxLength: 8 }), async (texts) => {
      const project_id = await createProject(owner);
      const documents = texts.map((each, at) => ({ text: each, source_doc_id: `${at}` }));
      const { jobs } = await owner.succeed("ingestBatch", { params: { project_id }, body: { documents } });
      let chunkCount = 0;
      for (const { job_id } of jobs) {
        const job = await waitForJob(owner, project_id, job_id);
        assert.equal(job.status, "completed", job.error_message ?? "");
        chunkCount += job.chunks_processed;
      }
      const chunks = await placedChunks(owner, project_id);
      assert.equal(chunks.length, Math.min(100, chunkCount));
      assert.ok(chunkCount <= 100, "Too many chunks to see them all.");
      for (const [at, each] of texts.entries()) {
        const covered = new Uint8Array(each.length);
        for (const chunk of chunks.filter((one) => one.source_doc_id === `${at}`)) {
          assert.equal(each.slice(chunk.start, chunk.end), chunk.text);
          covered.fill(1, chunk.start, chunk.end);
        }
        for (let offset = 0; offset < each.length; offset++) {
          assert.ok(
            covered[offset] === 1 || /\s/u.test(each[offset] ?? ""),
            `offset ${offset} of ${JSON.stringify(each)}`,
          );
        }
      }
      await owner.succeed("deleteProject", { params: { project_id } });
    });
    await fc.assert(property, { seed: SEED, numRuns: 15 });
    await assertHealthy(use());
  });
});
