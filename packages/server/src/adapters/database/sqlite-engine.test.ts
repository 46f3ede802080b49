import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqliteWriter } from "./sqlite-engine.ts";

test("a long operation lets the event loop turn between its statements, and others wait for its end", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-engine-"));
  context.after(() => rm(folder, { recursive: true }));
  const engine = await openSqliteWriter(join(folder, "knowledge.sqlite"), 0, { turnMs: 0 });
  const order: string[] = [];
  const long = engine.run("reclaim", { now: 0, maxPages: 1 }).then(() => order.push("long"));
  let next: Promise<unknown> = Promise.resolve();
  setImmediate(() => {
    order.push("turn");
    next = engine.run("reclaim", { now: 0, maxPages: 1 }).then(() => order.push("next"));
  });
  await long;
  await next;
  await engine.close();
  assert.deepEqual(order, ["turn", "long", "next"]);
});

test("the event loop turns between two operations, so that requests of other ports come in", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-engine-"));
  context.after(() => rm(folder, { recursive: true }));
  const engine = await openSqliteWriter(join(folder, "knowledge.sqlite"), 0);
  let turns = 0;
  let next: NodeJS.Immediate | null = null;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  turn();
  const ends = [1, 2, 3].map(async () => {
    await engine.run("reclaim", { now: 0, maxPages: 1 });
    return turns;
  });
  const [first = 0, second = 0, third = 0] = await Promise.all(ends);
  if (next !== null) clearImmediate(next);
  await engine.close();
  assert.ok(first < second && second < third, `${first}, ${second}, ${third}`);
});
