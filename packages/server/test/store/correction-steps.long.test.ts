/** Steps of what follows corrections are bounded by how many corrections change each chunk. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { correctOutdated } from "../../src/adapters/database/operations/correction-steps.ts";
import { counting } from "../support/count-work.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { projectWithChain } from "./correction-chain.ts";
import { commit, follow } from "./scenario.ts";

test("a step in which the graph follows takes fewer chunks where there are many corrections", async (context) => {
  const { opened, projectId } = await projectWithChain(context, 800, 20);
  const db = counting(opened, { statements: 0, rows: 0 });
  assert.equal(await correctOutdated(db, projectId), true);
  const { length } = await db.selectFrom("corrected_chunks").select("seq").execute();
  assert.equal(length, 6_400, "eight chunks, each changed by all corrections");
  await follow(opened.store, projectId);
  assert.equal((await db.selectFrom("corrected_chunks").select("seq").execute()).length, 16_000);
});

test("a commit shows and removes fewer chunks where there are many corrections", async (context) => {
  const { opened, projectId, scenario, project } = await projectWithChain(context, 800);
  await follow(opened.store, projectId);
  const db = counting(opened, { statements: 0, rows: 0 });
  const countRows = async () => (await db.selectFrom("corrected_chunks").select("seq").execute()).length;
  await scenario.accept(project, [["long", Array(20).fill("N0").join(" ")]]);
  assert.equal(await commit(opened.store, await scenario.claim(), { graphOf }), "changes_left");
  assert.equal(await countRows(), 800 + 6_400, "eight chunks, each changed by all corrections");
  await follow(opened.store, projectId);
  assert.equal(await countRows(), 21 * 800);
  await opened.store.deleteDocument({ projectId, sourceDocId: "long", now: 4_000, errorMessage: "gone" });
  assert.equal(await countRows(), 13 * 800);
  await follow(opened.store, projectId);
  assert.equal(await countRows(), 800);
});
