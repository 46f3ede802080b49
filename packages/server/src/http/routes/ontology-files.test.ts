import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import Fastify from "fastify";
import type { OntologyFileService } from "../../services/ontology-files.ts";
import { LongJson } from "../long-json.ts";
import { addRequestTurns } from "../request-turns.ts";
import { addOntologyFileRoutes } from "./ontology-files.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

test("an export counts as an answer with its bytes, which are sent in pieces", async () => {
  const bytes = new Uint8Array(3 * 1024 * 1024).fill(0x20);
  const app = Fastify();
  closers.push(() => app.close());
  app.decorateRequest("caller", null);
  addRequestTurns(app);
  app.addHook("onRequest", async (request) => {
    request.caller = { accountId: "acc_1", via: "api_key" };
  });
  let sent: unknown = null;
  app.addHook("onSend", async (_request, _reply, payload) => {
    sent = payload;
  });
  const ontologyFiles: Pick<OntologyFileService, "export"> = {
    export: async () => ({ name: "Ships", bytes }),
  };
  // The test calls no other endpoint.
  addOntologyFileRoutes(app, {
    ontologyFiles: ontologyFiles as OntologyFileService,
    readLargeBody: () => assert.fail("no body is read"),
  });
  const reply = await app.inject({ method: "GET", url: "/api/v1/ontologies/ont_1/export?format=turtle" });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers["content-length"], String(bytes.length));
  assert.deepEqual(reply.rawPayload, Buffer.from(bytes));
  assert.ok(sent instanceof LongJson); // What the budget of answers counts, and sends in turns.
  assert.equal(sent.heldBytes, bytes.length);
});
