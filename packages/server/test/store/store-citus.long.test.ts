/** The store's behaviours on a Citus cluster, and that each statement about a project touches one shard. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createCitus, skip } from "../support/citus.ts";
import { findScattered, recordStatements } from "../support/explained.ts";
import { describeStore } from "./store-suite.ts";

/** What upkeep looks for in all projects: how many statements of each operation. */
const OF_ALL_PROJECTS = { listMergeCandidates: 1, listRepairs: 1, nextUpkeep: 1, reclaim: 4 };

if (skip !== false) test("the store on Citus", { skip }, () => undefined);
else {
  let url = "";
  const recorder = recordStatements();
  const create = async () => {
    url = await createCitus();
    return url;
  };
  describeStore("postgres", create, {
    wrap: async (store) => recorder.wrap(store),
    runs: { model: 2, others: 1 },
  });
  test("each statement about a project touches one shard", async (context) => {
    context.diagnostic(`${recorder.sent.size} statements`);
    assert.ok(recorder.sent.size > 200);
    const scattered = await findScattered(url, recorder.sent.values());
    const counts = [...scattered].map(([operation, statements]) => [operation, statements.length]);
    assert.deepEqual(Object.fromEntries(counts), OF_ALL_PROJECTS, JSON.stringify([...scattered], null, 1));
  });
}
