/** Who stops a dynamic question or a suggestion, or loses the connection, leaves no work and no cost behind. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createProject, ingestAll } from "../support/ingestion.ts";
import { hang } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { type Home, sqlite, startTestService, type TestService } from "../support/service.ts";

const query = "Where was the founder of Larkspur Mill born?";
const texts = [
  { source_doc_id: "mill", text: "Larkspur Mill was founded by Odile Brandt in 1871." },
  { source_doc_id: "founder", text: "Odile Brandt was born in Kestrel Bay." },
];

let models: ModelServer;
let home: Home;
let service: TestService;

before(async () => {
  models = await startModelServer({ chat: () => hang });
  home = await sqlite.createHome();
  const env = { KCS_LLM_BASE_URL: models.baseUrl, KCS_LLM_MODEL: "test-model" };
  service = await startTestService({ home, env });
});
after(async () => {
  await service.stop();
  await home.remove();
  await models.close();
});

test("a call of the language model ends when the question is given up, and none follows", async () => {
  const project = await createProject(service.owner, "Mills");
  await ingestAll(service.owner, project, texts);
  const asked = models.requests.length;
  const stop = new AbortController();
  const question = fetch(`${service.baseUrl}/api/v1/projects/${project}/query`, {
    method: "POST",
    headers: { authorization: `Bearer ${home.ownerKey}`, "content-type": "application/json" },
    body: JSON.stringify({ query, mode: "dynamic" }),
    signal: stop.signal,
  });
  question.catch(() => undefined);
  await until(() => models.requests.length > asked && models.open === 1);
  stop.abort();
  await assert.rejects(question);
  // The call's own deadline is eight seconds.
  await until(() => models.open === 0, 4_000);
  assert.equal(models.requests.length, asked + 1);
  assert.deepEqual(service.logged, [], "nobody's fault");
});

test("a call of the language model ends when the suggestion is given up, and none follows", async () => {
  const asked = models.requests.length;
  const stop = new AbortController();
  const suggestion = fetch(`${service.baseUrl}/api/v1/ontologies/suggest`, {
    method: "POST",
    headers: { authorization: `Bearer ${home.ownerKey}`, "content-type": "application/json" },
    body: JSON.stringify({ usecase: "We track ships and the harbours that they call at." }),
    signal: stop.signal,
  });
  suggestion.catch(() => undefined);
  await until(() => models.requests.length > asked && models.open === 1);
  stop.abort();
  await assert.rejects(suggestion);
  // The call's own deadline is 45 seconds.
  await until(() => models.open === 0, 4_000);
  assert.equal(models.requests.length, asked + 1);
  assert.deepEqual(service.logged, [], "nobody's fault");
});

async function until(holds: () => boolean, limitMs = 20_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!holds()) {
    assert.ok(Date.now() < end, "It does not come to hold.");
    await sleep(20);
  }
}
