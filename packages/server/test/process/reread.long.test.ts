import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import pg from "pg";
import type { Client } from "../support/http-client.ts";
import { ingestAll, type Text, waitFor } from "../support/ingestion.ts";
import { say } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { describeOnBoth, type Home, withHome } from "../support/service.ts";

const SHIPS = ["Marlin", "Heron", "Egret", "Plover", "Curlew", "Dunlin"] as const;
const DOCUMENTS: readonly Text[] = SHIPS.map((ship, at) => ({
  source_doc_id: `log-${at}`,
  text: `Log ${at}. The ketch ${ship} came under Tove Lind.`,
}));
const ONTOLOGY = {
  hierarchy: [{ level: 0, node_types: { Person: {}, Vessel: {} } }],
  edge_types: [{ name: "REPAINTED_BY", source_types: ["Vessel"], target_types: ["Person"] }],
};

/** On PostgreSQL another process could be alive, and the leases of the killed one must lapse first. */
async function lapseLeases({ databaseUrl }: Home): Promise<void> {
  if (databaseUrl === "") return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("update jobs set ready_at = 1 where queue_state = 'running'");
  await client.end();
}

/** What only the model finds: each log states one fact. */
async function repaintedShips(owner: Client, project_id: string): Promise<readonly string[]> {
  const { relationships } = await owner.succeed("listRelationships", { params: { project_id } });
  return relationships
    .filter(({ type }) => type === "REPAINTED_BY")
    .map(({ source }) => source.name)
    .sort();
}

describeOnBoth((setting) => {
  let model: ModelServer;
  let running: ServiceProcess | null = null;
  let isHeld = true;
  const waiting: (() => void)[] = [];
  const release = () => {
    isHeld = false;
    for (const resolve of waiting.splice(0)) resolve();
  };
  before(async () => {
    model = await startModelServer({
      async chat({ prompt }) {
        const ship = /ketch (\w+) came/.exec(prompt)?.[1] ?? "";
        if (ship === SHIPS[3] && isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
        const kind = "Vessel REPAINTED_BY Person";
        const fact = { source: ship, kind, target: "Tove Lind", evidence: "came under Tove Lind" };
        return say({ facts: [fact], entities: [] });
      },
    });
  });
  afterEach(async () => {
    release();
    await running?.end("SIGKILL");
    running = null;
  });
  after(() => model.close());

  test("killed in the middle of a reread, the service answers from the old graph and reads what is left", async () => {
    await withHome(setting, async (home) => {
      isHeld = true;
      const withModel = {
        KCS_LLM_PROVIDER: "openai-compatible",
        KCS_LLM_MODEL: "test",
        KCS_LLM_BASE_URL: model.baseUrl,
      };
      const start = async (env: Readonly<Record<string, string>>) => {
        running = await startProcess(home, env);
        return running;
      };
      const first = await start(withModel);
      const body = { name: "Logs", schema: { ontology: ONTOLOGY } };
      const { id: ontology_id } = await first.owner.succeed("createOntology", { body });
      const project = { name: "Logs", ontology_id };
      const { project_id } = await first.owner.succeed("createProject", { body: project });
      const params = { project_id };
      await first.end("SIGTERM");
      const without = await start({});
      await ingestAll(without.owner, project_id, DOCUMENTS);
      await without.end("SIGTERM");

      const second = await start(withModel);
      await second.owner.succeed("rereadProject", { params });
      await waitFor("the document that is held", async () => (waiting.length > 0 ? true : null));
      assert.equal((await second.owner.succeed("getReread", { params })).status, "running");
      assert.equal((await second.end("SIGKILL")).signal, "SIGKILL");
      await lapseLeases(home);
      const asked = model.requests.length;

      const third = await start(withModel);
      const after = await third.owner.succeed("getReread", { params });
      assert.deepEqual([after.status, after.documents_total], ["running", SHIPS.length]);
      const { documents } = await third.owner.succeed("listDocuments", { params });
      assert.ok(documents.every(({ status }) => status === "indexed"));
      release();
      const ended = await waitFor("the end of the reread", async () => {
        const reread = await third.owner.succeed("getReread", { params });
        return reread.status === "running" ? null : reread;
      });
      assert.deepEqual(
        [ended.status, ended.documents_processed, ended.documents_failed],
        ["completed", SHIPS.length, 0],
      );
      assert.deepEqual(await repaintedShips(third.owner, project_id), SHIPS.toSorted());
      // A reply that was stored before the kill is not paid for again.
      assert.ok(model.requests.length - asked <= SHIPS.length, String(model.requests.length - asked));
      const stats = await third.owner.succeed("getProjectStats", { params });
      assert.deepEqual([stats.documents, stats.chunks], [SHIPS.length, SHIPS.length]);
    });
  });
});
