/** A database with a damaged page: whoever finds it, the readiness tells it. */
import assert from "node:assert/strict";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { withConnection } from "../mcp/connect.ts";
import { createProject, ingestAll, waitFor } from "../support/ingestion.ts";
import { sqlite, type TestService, withHome, withService } from "../support/service.ts";

const BODY = { query: "When is the harbour dredged?" };

/** Overwrites the first page of a table of a database that nobody has open. */
function damageTable(dataDir: string, table: string): void {
  const path = join(dataDir, "knowledge.sqlite");
  const db = new DatabaseSync(path);
  const root = db.prepare("select rootpage from sqlite_schema where name = ?").get(table)?.["rootpage"];
  const size = db.prepare("pragma page_size").get()?.["page_size"];
  db.close();
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(Number(size), 0xff), 0, Number(size), (Number(root) - 1) * Number(size));
  closeSync(file);
}

async function readinessOf({ nobody }: TestService): Promise<readonly [number, string]> {
  const { status, text } = await nobody.root("GET", "/ready");
  return [status, text];
}

async function assertDamageIsTold(service: TestService): Promise<void> {
  const [status, text] = await readinessOf(service);
  assert.equal(status, 503);
  assert.match(text, /The database file is damaged .* Stop the service/);
}

test("after a question or a tool's call that found the database damaged the service is not ready", async () => {
  await withHome(sqlite, async (home) => {
    const projectId = await withService({ home }, async ({ owner }) => {
      const made = await createProject(owner);
      await ingestAll(owner, made, [{ source_doc_id: "a", text: "The harbour is dredged in March." }]);
      return made;
    });
    damageTable(home.dataDir, "chunks");
    await withService({ home }, async (service) => {
      // Nothing has been read of the page yet.
      await waitFor("readiness", async () => ((await readinessOf(service))[0] === 200 ? true : null));
      const reply = await service.owner.endpoint("query", { params: { project_id: projectId }, body: BODY });
      assert.equal(reply.status, 503, reply.text);
      await assertDamageIsTold(service);
      await assertDamageIsTold(service);
    });
    await withService({ home }, async (service) => {
      const key = await service.owner.readKey();
      await withConnection({ service, key }, async ({ call }) => {
        assert.equal((await call("query", { project_id: projectId, ...BODY })).isError, true);
      });
      await assertDamageIsTold(service);
    });
  });
});
