import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createTestThreads } from "../../test/support/threads.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";

/** Answers "a" at once; keeps what begins with "slow" until "release" comes. */
const HOLDING = `
const { parentPort } = require("node:worker_threads");
const held = [];
parentPort.postMessage("beat");
parentPort.on("message", (message) => {
  if (message === "end") process.exit();
  if (message.value.startsWith("slow")) return held.push(message);
  if (message.value === "release") for (const { id, value } of held.splice(0)) parentPort.postMessage({ id, value });
  parentPort.postMessage({ id: message.id, value: message.value });
});`;

const start = () => new Worker(HOLDING, { eval: true });

test("slow questions of an account leave places at the query threads to others", async () => {
  const { deps } = createTestThreads();
  const pool = createThreadPool<string, string>(
    { ...THREAD_KINDS.query, finishes: "none" },
    { startCrew: () => [start, start] },
    deps,
  );
  const slow = Array.from({ length: 20 }, (_, at) => pool.ask(`slow ${at}`, { account: "slow" }));
  for (const question of ["a", "b", "c", "d"])
    assert.equal(await pool.ask(question, { account: "other" }), question);
  const ended = Promise.allSettled(slow);
  await pool.close();
  await ended;
});

test("an account whose requests take long leaves places at the threads to others", async () => {
  const { deps } = createTestThreads();
  const pool = createThreadPool<string, string>(
    THREAD_KINDS.embed,
    { startCrew: () => [start], maxCrews: 1 },
    deps,
  );
  const slow = Array.from({ length: 20 }, (_, at) => pool.ask(`slow ${at}`, { account: "slow" }));
  assert.equal(await pool.ask("a", { account: "other" }), "a");
  assert.equal(await pool.ask("b"), "b");
  const released = Array.from({ length: 5 }, () => pool.ask("release", { account: "other" }));
  await Promise.all(released);
  while (slow.length > 0) {
    const settled = await Promise.race([slow[0], pool.ask("release", { account: "other" }).then(() => null)]);
    if (settled !== null) slow.shift();
  }
  await pool.close();
});
