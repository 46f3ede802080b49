import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "@kcs/sdk";
import { type JobPage, listInTurn } from "./jobs-in-turn.ts";

const perPage = 50;

const lists = {
  running: ["r1", "r2"],
  failed: ["f1"],
  completed: Array.from({ length: 60 }, (_, at) => `c${at}`),
  pending: Array.from({ length: 200 }, (_, at) => `p${at}`),
} as const satisfies Readonly<Record<string, readonly string[]>>;
type State = keyof typeof lists;
const states = ["running", "failed", "completed", "pending"] as const satisfies readonly State[];
const all = Object.values(lists).flat();

async function pageFrom(from: number) {
  const asked: string[] = [];
  const count = async () => ({ running: 2, failed: 1, completed: 60, pending: 200 });
  const list = async (state: State, { limit, offset }: JobPage) => {
    asked.push(state);
    const some = lists[state].slice(offset, offset + limit).map((id) => ({ job_id: id }) as Job); // The field that is read.
    // As the service answers: the number of jobs in the page.
    return { jobs: some, total: some.length };
  };
  const { jobs } = await listInTurn(states, { limit: perPage, offset: from }, { count, list });
  return { ids: jobs.map(({ job_id: id }) => id), asked };
}

test("the pages of lists in turn are those of one list", async () => {
  for (let from = 0; from < all.length; from += perPage)
    assert.deepEqual((await pageFrom(from)).ids, all.slice(from, from + perPage));
  assert.deepEqual((await pageFrom(0)).asked, ["running", "failed", "completed"]);
});

test("a job that is in two lists, because it has ended meanwhile, is there once", async () => {
  const job = { job_id: "one" } as Job; // The field that is read.
  const list = async () => ({ jobs: [job] });
  const count = async () => ({ running: 1, completed: 0 });
  const { jobs } = await listInTurn(["running", "completed"], { limit: 9, offset: 0 }, { count, list });
  assert.equal(jobs.length, 1);
});
