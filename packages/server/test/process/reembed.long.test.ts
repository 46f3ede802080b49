import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import pg from "pg";
import type { Client } from "../support/http-client.ts";
import { createProject, ingestAll, longText, type Text, waitFor } from "../support/ingestion.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import {
  environmentOf,
  type Gate,
  NEW_MODEL,
  rankedLists,
  startGate,
  waitForMove,
} from "../support/reembedding.ts";
import { describeOnBoth, type Home, withHome } from "../support/service.ts";

/** More than one batch of chunks. */
const DOCUMENTS: readonly Text[] = Array.from({ length: 6 }, (_, at) => ({
  text: longText(130, `quay ${at}`),
  source_doc_id: `doc-${at}`,
}));
const QUESTIONS = ["Which lantern describes old ledgers?"];

/** On PostgreSQL another process could be alive, and the lease of the killed one must lapse first. */
async function lapseLease({ databaseUrl }: Home): Promise<void> {
  if (databaseUrl === "") return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("update reembeddings set ready_at = 1 where lease_token is not null");
  await client.end();
}

describeOnBoth((setting) => {
  let gate: Gate;
  let running: ServiceProcess | null = null;
  before(async () => {
    gate = await startGate();
  });
  afterEach(async () => {
    gate.hold(null);
    await running?.end("SIGKILL");
    running = null;
  });
  after(() => gate.close());

  const start = async (home: Home) => {
    running = await startProcess(home, environmentOf(gate.server));
    return running;
  };
  const move = (owner: Client, project_id: string) =>
    owner.succeed("reembedProject", { params: { project_id }, body: { embedding: NEW_MODEL.name } });

  test("killed in the middle of a move, the service goes on where it was and pays for nothing that it has", async () => {
    await withHome(setting, async (home) => {
      const first = await start(home);
      const projectId = await createProject(first.owner);
      await ingestAll(first.owner, projectId, DOCUMENTS);
      gate.hold(/quay 5/);
      await move(first.owner, projectId);
      const half = await waitFor("the second batch", async () => {
        const params = { project_id: projectId };
        const found = await first.owner.succeed("getReembedding", { params });
        return gate.waiting > 0 && found.chunks_processed > 0 ? found : null;
      });
      assert.ok(half.chunks_processed < half.chunks_total);
      const staged = [...gate.answered];
      assert.equal((await first.end("SIGKILL")).signal, "SIGKILL");
      await lapseLease(home);
      gate.hold(null);

      const { owner } = await start(home);
      const moved = await waitForMove(owner, projectId);
      assert.deepEqual([moved.status, moved.chunks_total], ["completed", half.chunks_total]);
      assert.equal(staged.length, half.chunks_processed);
      for (const text of staged)
        assert.equal(gate.answered.filter((answered) => answered === text).length, 1, text.slice(0, 80));
      const fresh = await createProject(owner);
      await move(owner, fresh);
      await waitForMove(owner, fresh);
      await ingestAll(owner, fresh, DOCUMENTS);
      assert.deepEqual(
        await rankedLists(owner, projectId, QUESTIONS),
        await rankedLists(owner, fresh, QUESTIONS),
      );
    });
  });
});
