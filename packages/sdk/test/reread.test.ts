import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, type Reread } from "../src/index.ts";
import { fakeFetch, json } from "./fake-fetch.ts";

function state(status: Reread["status"], documents_processed: number): Reread {
  return {
    ...{ project_id: "p", status, documents_processed, documents_failed: 0, documents_total: 9 },
    ...{ created_at: "2031-05-04T10:00:00.000Z", completed_at: null, error_message: null },
  };
}

test("a reread is waited for until it has ended, and each state is told", async () => {
  const states = [state("running", 0), state("running", 4), state("cancelled", 4), state("completed", 9)];
  const { fetch, sent } = fakeFetch(...states.map((each) => () => json(each)));
  const client = createClient({ apiKey: "kcs_x", fetch });
  const told: Reread[] = [];
  const ended = await client.projects.waitForReread("p", {
    pollMs: 0,
    onProgress: (each) => void told.push(each),
  });
  assert.deepEqual(ended, states[2]);
  assert.deepEqual(told, states.slice(0, 3));
  assert.equal(sent.length, 3);
});
