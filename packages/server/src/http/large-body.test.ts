import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { createBoundedLog } from "../bounded-log.ts";
import { jsonBody, registerJsonBodies } from "./body.ts";
import { createErrorHandler } from "./errors.ts";
import { addLargeBodyScope, type PlainForm, type ReadLargeBody } from "./large-body.ts";
import { addRequestKeys } from "./request-key.ts";
import { addRequestTurns } from "./request-turns.ts";

const FORMS: readonly PlainForm[] = ["document", "batch", "ontology", "schema"];
const ignore = () => undefined;

/** An application whose body thread only counts its bodies. */
function startApp() {
  const counts = { inThread: 0 };
  const readLargeBody = (async () => {
    counts.inThread++;
    return () => [];
  }) as unknown as ReadLargeBody; // No body has content here.
  const app = Fastify();
  addRequestTurns(app);
  addRequestKeys(app);
  app.decorateRequest("caller", null);
  app.setErrorHandler(
    createErrorHandler(createBoundedLog({ debug: ignore, info: ignore, warn: ignore, error: ignore })),
  );
  registerJsonBodies(app);
  app.post("/plain", (request) => ({ has: jsonBody(request).value !== undefined }));
  for (const form of FORMS) {
    addLargeBodyScope(app, { form, maxTextBytes: 1024, readLargeBody }, (scope, contentOf) => {
      scope.post(`/${form}`, { bodyLimit: 4 << 20 }, (request) => ({ content: contentOf(request) }));
    });
  }
  return { app, counts };
}

async function post(app: FastifyInstance, url: string, payload: string) {
  const headers = { "content-type": "application/json" };
  const { statusCode, body } = await app.inject({ method: "POST", url, headers, payload });
  return { status: statusCode, detail: (JSON.parse(body) as { detail?: string }).detail };
}

test("a body of many bytes or of many values is read by the body thread, and nothing of it is parsed here", async (t) => {
  const { app, counts } = startApp();
  const parse = t.mock.method(JSON, "parse");
  const many = { bytes: `{"a":"${"x".repeat(128 * 1024)}"}`, values: `[${"0,".repeat(10_000)}0]` };
  for (const form of FORMS) {
    for (const text of Object.values(many)) {
      assert.equal((await post(app, `/${form}`, text)).status, 200);
    }
  }
  assert.equal(counts.inThread, 2 * FORMS.length);
  assert.deepEqual(
    parse.mock.calls.filter(({ arguments: [text] }) => text.length > 1000),
    [],
  );
  assert.equal((await post(app, "/schema", '{"schema":{}}')).status, 200);
  assert.equal(counts.inThread, 2 * FORMS.length);
});

test("a body of too many values or levels is refused before it is parsed", async (t) => {
  const { app, counts } = startApp();
  const parse = t.mock.method(JSON, "parse");
  const deep = [400, "body: is nested too deeply, expected at most 64 levels"];
  for (const url of ["/plain", ...FORMS.map((form) => `/${form}`)]) {
    const { status, detail } = await post(app, url, `${"[".repeat(65)}${"]".repeat(65)}`);
    assert.deepEqual([status, detail], deep, url);
  }
  const { status, detail } = await post(app, "/plain", `[${"0,".repeat(10_000)}0]`);
  assert.deepEqual([status, detail], [400, "body: has too many values, expected at most 10000"]);
  assert.ok(parse.mock.calls.every(({ arguments: [text] }) => text.startsWith('{"detail"')));
  assert.equal(counts.inThread, 0);
  assert.equal((await post(app, "/plain", `[${"0,".repeat(9_998)}0]`)).status, 200);
});
