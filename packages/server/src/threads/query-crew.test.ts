import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { ThreadDatabase } from "../adapters/database/open-store.ts";
import { startQueryCrew } from "./query-crew.ts";

const DATABASE: ThreadDatabase = { kind: "postgres", databaseUrl: "postgres://nowhere" };
const OPTIONS = { threads: 3, cacheBytes: 1 << 20, modelDir: "nowhere" };
/** Serves nothing, and dies of being told to end. */
const DYING = `require("node:worker_threads").parentPort.on("message", () => { throw new Error("dying"); })`;

test("where a thread cannot be started, those before it are ended and the fault rises", async () => {
  const ended: Promise<unknown>[] = [];
  assert.throws(
    () =>
      startQueryCrew({
        ...OPTIONS,
        connect: () => ({ database: DATABASE, transfer: [] }),
        startWorker() {
          if (ended.length === 2) throw new Error("no more threads");
          const worker = new Worker(DYING, { eval: true });
          ended.push(new Promise((resolve) => worker.once("exit", resolve)));
          return worker;
        },
      }),
    /no more threads/,
  );
  assert.equal(ended.length, 2);
  // An error that nobody listened to would end this process.
  await Promise.all(ended);
});

test("where a connection cannot be had, the threads before it are ended and the fault rises", async () => {
  const ended: Promise<unknown>[] = [];
  let connections = 0;
  assert.throws(
    () =>
      startQueryCrew({
        ...OPTIONS,
        connect() {
          if (connections++ === 1) throw new Error("no connection");
          return { database: DATABASE, transfer: [] };
        },
        startWorker() {
          const worker = new Worker(DYING, { eval: true });
          ended.push(new Promise((resolve) => worker.once("exit", resolve)));
          return worker;
        },
      }),
    /no connection/,
  );
  assert.equal(ended.length, 1);
  await Promise.all(ended);
});
