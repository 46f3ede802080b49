import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "@kcs/sdk";
import { listInTurn } from "./jobs-in-turn.ts";

const perPage = 50;

const lists: Readonly<Record<string, readonly string[]>> = {
  running: ["r1", "r2"],
  failed: ["f1"],
  completed: Array.from({ length: 60 }, (_, at) => `c${at}`),
  pending: Array.from({ length: 200 }, (_, at) => `p${at}`),
};
const all = Object.values(lists).flat();

async function pageFrom(from: number) {
  const asked: string[] = [];
  const { jobs } = await listInTurn(
    Object.keys(lists),
    { limit: perPage, offset: from },
    async (state, { limit, offset }) => {
      asked.push(state);
      const ids = lists[state] ?? [];
      const some = ids.slice(offset, offset + limit).map((id) => ({ job_id: id }) as Job); // The field that is read.
      return { jobs: some, total: ids.length };
    },
  );
  return { ids: jobs.map(({ job_id: id }) => id), asked };
}

test("the pages of lists in turn are those of one list", async () => {
  for (let from = 0; from < all.length; from += perPage)
    assert.deepEqual((await pageFrom(from)).ids, all.slice(from, from + perPage));
  assert.deepEqual((await pageFrom(0)).asked, ["running", "failed", "completed"]);
});

test("a job that is in two lists, because it has ended meanwhile, is there once", async () => {
  const job = { job_id: "one" } as Job; // The field that is read.
  const { jobs } = await listInTurn(["running", "completed"], { limit: 9, offset: 0 }, async () => ({
    jobs: [job],
    total: 1,
  }));
  assert.equal(jobs.length, 1);
});
