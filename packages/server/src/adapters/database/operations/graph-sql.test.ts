import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type RawBuilder, sql } from "kysely";
import { openStore } from "../open-store.ts";
import { contains } from "./graph-sql.ts";

test("a part that nearly repeats itself is looked for in about the time of any other", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-contains-"));
  const opened = await openStore({ databaseUrl: null, dataDir });
  context.after(async () => {
    await opened.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { db } = opened.authDatabase();
  const count = async (matches: RawBuilder<unknown>) => {
    const names = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
      select ${"a".repeat(109)} || i as name from n`;
    const found = await sql<{
      n: number;
    }>`select count(*) as n from (${names}) as e where ${matches}`.execute(db);
    return found.rows[0]?.n;
  };
  const cpuOf = async (part: string) => {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 8; run++) {
      const before = process.cpuUsage();
      assert.equal(await count(contains(sql`e.name`, part)), 0);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, user + system);
    }
    return least;
  };
  assert.equal(await count(contains(sql`e.name`, "a1234")), 11);
  assert.equal(await count(contains(sql`e.name`, "a%4")), 0, "no sign stands for others");
  const ratio = (await cpuOf(`${"a".repeat(57)}b`)) / (await cpuOf("calder"));
  assert.ok(ratio < 4, `${ratio} times`);
});
