import assert from "node:assert/strict";
import { test } from "node:test";
import { ownWork } from "../../ports/current-work.ts";
import { StoreUnavailableError } from "../../ports/store.ts";
import { createCallTurns } from "./call-turns.ts";
import { createPoolBoard } from "./pool-board.ts";

test("a call that has waited ten seconds for a connection is told as busy, and waits are counted", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const board = createPoolBoard();
  const { writes: meter } = board.meters("main");
  const runInTurn = createCallTurns({ atOnce: 1, currentWork: ownWork, limit: { waitMs: 10_000, meter } });
  const held = Promise.withResolvers<string>();
  const first = runInTurn("write", () => held.promise);
  const second = runInTurn("write", async () => "second");
  context.mock.timers.tick(9_999);
  assert.equal(board.read("main", "writes", "waiting"), 1);
  const third = runInTurn("read", async () => "third");
  context.mock.timers.tick(1);
  await assert.rejects(second, (error) => error instanceof StoreUnavailableError && error.reason === "busy");
  held.resolve("first");
  // A call that has begun has all the time that the database gives it.
  assert.deepEqual([await first, await third], ["first", "third"]);
  assert.equal(board.read("main", "writes", "waiting"), 0);
  assert.equal(board.read("main", "writes", "waits"), 3);
  assert.equal(board.read("main", "reads", "waits"), 0);
});

test("what a replaced thread had is forgotten, but not how often its calls have waited", () => {
  const board = createPoolBoard();
  const [one, other] = [board.meters("query", 0), board.meters("query", 1)];
  for (const { reads } of [one, other]) {
    reads.add("open", 2);
    reads.add("waits", 3);
  }
  assert.equal(createPoolBoard(board.memory).read("query", "reads", "open"), 4);
  board.forget("query", 1);
  assert.equal(board.read("query", "reads", "open"), 2);
  assert.equal(board.read("query", "reads", "waits"), 6);
});
