import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, type Reembedding } from "../src/index.ts";
import { fakeFetch, json } from "./fake-fetch.ts";

function state(status: Reembedding["status"], chunks_processed: number): Reembedding {
  const space = { embedding_model: "m", embedding_dimensions: 4 };
  return {
    ...{ project_id: "p", status, from: space, to: space, chunks_processed, chunks_total: 9 },
    ...{ created_at: null, started_at: null, completed_at: null, error_message: null },
  };
}

test("a move is waited for until it has ended, and each state is told", async () => {
  const states = [state("pending", 0), state("running", 4), state("failed", 4), state("completed", 9)];
  const { fetch, sent } = fakeFetch(...states.map((each) => () => json(each)));
  const client = createClient({ apiKey: "kcs_x", fetch });
  const told: Reembedding[] = [];
  const ended = await client.projects.waitForReembedding("p", {
    pollMs: 0,
    onProgress: (each) => void told.push(each),
  });
  assert.deepEqual(ended, states[2]);
  assert.deepEqual(told, states.slice(0, 3));
  assert.equal(sent.length, 3);
});

test("a wait that is given up ends at once", async () => {
  const { fetch } = fakeFetch(() => json(state("running", 1)));
  const client = createClient({ apiKey: "kcs_x", fetch });
  const giveUp = new AbortController();
  const waiting = client.projects.waitForReembedding("p", {
    ...{ pollMs: 60_000, signal: giveUp.signal },
    onProgress: () => queueMicrotask(() => giveUp.abort(new Error("given up"))),
  });
  await assert.rejects(waiting, /given up|abort/i);
});
