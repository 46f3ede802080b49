/** What the service shows of its language model, and what it keeps to itself. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ingest, waitFor, waitForJob } from "../support/ingestion.ts";
import { refuse } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { describeOnBoth, type TestService, withHome, withService } from "../support/service.ts";

const KEY = "sk-key-of-the-operator";
const text = "Maren Oldsund designed the lighthouse on Skarvik Head in 1889.";

let server: ModelServer;
const provider = { isDown: false };

before(async () => {
  server = await startModelServer({
    apiKey: KEY,
    chat: () =>
      provider.isDown ? refuse(403, `The key ${KEY} is blocked`) : { kind: "say", text: '{"facts":[]}' },
  });
});
after(() => server.close());

interface Ready {
  readonly language_model?: { readonly model: string; readonly state: string; readonly last_error?: string };
}

/** Waits while the embedding model is being loaded. */
function ready({ nobody }: TestService): Promise<Ready> {
  return waitFor("readiness", async () => {
    const reply = await nobody.root("GET", "/ready");
    return reply.status === 200 ? (reply.json as Ready) : null; // Compared below.
  });
}

async function metric({ nobody }: TestService, name: string): Promise<number> {
  const { text: metrics } = await nobody.root("GET", "/metrics");
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1] ?? Number.NaN);
}

const stateOf = async (service: TestService) => (await ready(service)).language_model?.state;

async function ingestOne(service: TestService, document: string) {
  const { project_id: projectId } = await service.owner.succeed("createProject", {
    body: { name: "Lights" },
  });
  const jobId = await ingest(service.owner, projectId, { text: document, source_doc_id: "light" });
  return waitForJob(service.owner, projectId, jobId);
}

describeOnBoth((setting) => {
  test("readiness and the metrics tell of the model's last call, and nothing tells the key", () =>
    withHome(setting, (home) => {
      provider.isDown = false;
      const env = { KCS_LLM_BASE_URL: server.baseUrl, KCS_LLM_API_KEY: KEY, KCS_LLM_MODEL: "test-model" };
      return withService({ home, env }, async (service) => {
        assert.deepEqual((await ready(service)).language_model, {
          model: "openai-compatible/test-model",
          state: "unused",
        });
        const asked = server.requests.length;
        assert.equal((await ingestOne(service, text)).status, "completed");
        assert(server.requests.length > asked);
        await waitFor("a call that was answered", async () =>
          (await stateOf(service)) === "ok" ? true : null,
        );
        assert((await metric(service, 'kcs_language_model_calls_total{outcome="answered"}')) >= 1);
        assert((await metric(service, 'kcs_language_model_tokens_total{direction="input"}')) > 0);

        provider.isDown = true;
        assert.equal((await ingestOne(service, `${text} Another.`)).status, "failed");
        await waitFor("a call that failed", async () =>
          (await stateOf(service)) === "failing" ? true : null,
        );
        const shown = await service.nobody.root("GET", "/ready");
        assert.match(shown.text, /"last_error":"The language model gave no reply: it answered 403\."/);
        const metrics = await service.nobody.root("GET", "/metrics");
        for (const told of [shown.text, metrics.text, JSON.stringify(service.logged), service.printed]) {
          assert(!told.includes(KEY));
        }
        const projects = await service.owner.succeed("listProjects");
        assert(!metrics.text.includes(projects.projects[0]?.project_id ?? "prj"));
      });
    }));
});
