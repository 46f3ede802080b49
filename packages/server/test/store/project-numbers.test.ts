import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";

test("sizes of a project and its latest documents are read from indexes that have all that is asked", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-numbers-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { store, authDatabase } = await openStore({ databaseUrl: null, dataDir });
  context.after(() => store.close());
  const { db } = authDatabase();
  const sizes = await sql<{ detail: string }>`explain query plan select sum(chunk_count), sum(byte_length)
    from document_versions where project_id = 'p' and state = 'live'`.execute(db);
  const latest = await sql<{ detail: string }>`explain query plan select updated_at
    from documents where project_id = 'p' order by updated_at desc limit 1`.execute(db);
  assert.match(sizes.rows[0]?.detail ?? "", /COVERING INDEX versions_live_sizes/);
  assert.match(latest.rows[0]?.detail ?? "", /COVERING INDEX documents_by_update/);
  assert.equal(latest.rows.length, 1);
});
