/** How much more three processes ingest into one project than one does. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Client } from "../support/http-client.ts";
import { createProject, ingestAll, longText } from "../support/ingestion.ts";
import { presentEmbeddings } from "../support/model-server/embeddings.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { usePostgres } from "../support/postgres.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { type Home, postgresOf, withHome } from "../support/service.ts";

const setting = postgresOf(usePostgres());
const DIMENSIONS = 64;
/** As a core needs for a chunk, but waiting: the processes of the test share fewer cores than they would have. */
const CHUNK_MS = 40;
const DOCUMENTS = 360;
/**
 * The aim is 2.7, which two quiet cores reach (2.77 and 2.79). Under other load it is less: processes that have rested begin seconds late, and three
 * share the cores of two.
 */
const LEAST_RATIO = 2.2;

/** Each process has an embedder of its own, which embeds one text after another. */
async function startEmbedder(): Promise<ModelServer> {
  let busyUntil = 0;
  return startModelServer({
    embeddings: (request) => {
      const now = performance.now();
      busyUntil = Math.max(now, busyUntil) + CHUNK_MS * request.inputs.length;
      const body = JSON.stringify(presentEmbeddings(request));
      return { kind: "babble", body, contentType: "application/json", delayMs: busyUntil - now };
    },
  });
}

const embedders: ModelServer[] = [];
const processes: ServiceProcess[] = [];
before(async () => {
  for (const _ of [1, 2, 3]) embedders.push(await startEmbedder());
});
after(async () => {
  for (const process of processes) await process.end("SIGKILL");
  for (const embedder of embedders) await embedder.close();
});

async function start(home: Home, embedder: ModelServer): Promise<ServiceProcess> {
  const process = await startProcess(home, {
    KCS_EMBEDDING_BASE_URL: embedder.baseUrl,
    KCS_EMBEDDING_MODEL: "vectors",
    KCS_EMBEDDING_DIMENSIONS: String(DIMENSIONS),
  });
  processes.push(process);
  return process;
}

/** Milliseconds from the request to the end of the last job. */
async function measure(owner: Client, home: Home, round: string): Promise<number> {
  const projectId = await createProject(owner, round);
  const documents = Array.from({ length: DOCUMENTS }, (_, number) => ({
    source_doc_id: `document ${number}`,
    text: longText(24, `${round} part ${number}`),
  }));
  const database = new pg.Client({ connectionString: home.databaseUrl });
  await database.connect();
  const count = async (condition: string) => {
    const { rowCount } = await database.query(`select 1 from jobs where project_id = $1 and ${condition}`, [
      projectId,
    ]);
    return rowCount;
  };
  const began = performance.now();
  await owner.succeed("ingestBatch", { params: { project_id: projectId }, body: { documents } });
  while ((await count("queue_state <> 'done'")) !== 0) await delay(100);
  const tookMs = performance.now() - began;
  assert.equal(await count("status = 'completed'"), DOCUMENTS);
  await database.end();
  return tookMs;
}

test(`three processes ingest at least ${LEAST_RATIO} times as much into one project as one`, {
  timeout: 600_000,
}, async (context) => {
  await withHome(setting, async (home) => {
    const [one, two, three] = embedders;
    assert.ok(one && two && three);
    const { owner } = await start(home, one);
    // What the first documents load is not measured.
    const warmUp = Array.from({ length: 30 }, (_, at) => ({
      source_doc_id: `${at}`,
      text: longText(24, `warm ${at}`),
    }));
    await ingestAll(owner, await createProject(owner), warmUp);
    const alone = await measure(owner, home, "alone");
    await withHome(setting, async (second) => {
      await withHome(setting, async (third) => {
        const { databaseUrl, ownerKey } = home;
        await start({ ...second, databaseUrl, ownerKey }, two);
        await start({ ...third, databaseUrl, ownerKey }, three);
        await ingestAll(owner, await createProject(owner), warmUp);
        const together = await measure(owner, home, "together");
        const embedded = embedders.map(({ embeddingRequests }) => embeddingRequests.length);
        context.diagnostic(
          `${Math.round(alone)} ms alone, ${Math.round(together)} ms together: ${(alone / together).toFixed(2)} times as fast; requests to the embedders: ${embedded.join(", ")}`,
        );
        assert.ok(
          alone / together >= LEAST_RATIO,
          `${Math.round(alone)} ms alone, ${Math.round(together)} ms together; ${embedded.join(", ")}`,
        );
      });
    });
  });
});
