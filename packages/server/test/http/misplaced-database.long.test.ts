import assert from "node:assert/strict";
import { existsSync, renameSync } from "node:fs";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingestAll, waitFor } from "../support/ingestion.ts";
import { sqlite, withHome, withService } from "../support/service.ts";

test("while the data directory is away the service is not ready and refuses to write, logs it once, and recovers", async () => {
  await withHome(sqlite, async (home) => {
    await withService({ home }, async ({ owner, nobody, logged }) => {
      const statusOf = async () => (await nobody.root("GET", "/ready")).status;
      const wait = (status: number) =>
        waitFor(`readiness ${status}`, async () => ((await statusOf()) === status ? true : null));
      const lost = () => logged.filter(({ event }) => event === "database_misplaced");
      await wait(200);
      const params = { project_id: await createProject(owner) };
      // Afterwards every thread has started.
      await ingestAll(owner, params.project_id, [{ source_doc_id: "first", text: "Kept." }]);
      renameSync(home.dataDir, `${home.dataDir}-elsewhere`);
      try {
        const refused = await owner.endpoint("ingest", {
          params,
          body: { text: "Lost.", source_doc_id: "a" },
        });
        assertFault(refused, 503, /^The database was moved, deleted or replaced/);
        assert.ok(!refused.text.includes(home.dataDir), refused.text);
        const ready = await nobody.root("GET", "/ready");
        assertFault(ready, 503, /The database was moved, deleted or replaced/);
        await owner.succeed("listProjects");
        await waitFor("an entry in the log", async () => (lost().length > 0 ? true : null));
      } finally {
        // Nothing that ran meanwhile has made it anew.
        assert.ok(!existsSync(home.dataDir));
        renameSync(`${home.dataDir}-elsewhere`, home.dataDir);
      }
      await wait(200);
      await owner.succeed("ingest", { params, body: { text: "Kept.", source_doc_id: "b" } });
      assert.equal(lost().length, 1);
      assert.equal(lost()[0]?.["path"], `${home.dataDir}/knowledge.sqlite`);
    });
  });
});
