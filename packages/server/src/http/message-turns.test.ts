import assert from "node:assert/strict";
import { test } from "node:test";
import { createMessageTurns } from "./message-turns.ts";

/** Counts the turns of the event loop until `stop`. */
function countTurns() {
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  return { now: () => turns, stop: () => clearImmediate(counting) };
}

test("messages begin one at a time, with turns of the event loop between them that are free for others", async () => {
  const takeTurns = createMessageTurns();
  const counter = countTurns();
  const begun: number[] = [];
  const taken = [takeTurns("a", 3), takeTurns("b", 1), takeTurns("a", 1), takeTurns("c", 1)].flat();
  await Promise.all(taken.map((own) => own.then(() => begun.push(counter.now()))));
  counter.stop();
  assert.equal(begun.length, 6);
  for (const [at, turn] of begun.slice(1).entries()) assert.ok(turn - (begun[at] ?? 0) >= 16, `${begun}`);
});

test("a message that comes alone begins in the next turn", async () => {
  const takeTurns = createMessageTurns();
  const counter = countTurns();
  await Promise.all(takeTurns("a", 1));
  counter.stop();
  assert.ok(counter.now() <= 2, `${counter.now()}`);
});

test("accounts take turns: a batch of one delays another's message by one", async () => {
  const takeTurns = createMessageTurns();
  const order: string[] = [];
  const take = (accountId: string, messages: number) =>
    takeTurns(accountId, messages).map((own) => own.then(() => order.push(accountId)));
  await Promise.all([...take("a", 8), ...take("b", 1), ...take("c", 1)]);
  assert.deepEqual(order.slice(0, 3), ["a", "b", "c"]);
});

test("messages that wait are bounded, for an account and in all, but an account that has none is let in", async () => {
  const takeTurns = createMessageTurns();
  const tooMany = { name: "ServiceError", kind: "too_many_requests", message: /Too many messages wait/ };
  for (let at = 0; at < 64; at++) takeTurns("a", 8);
  assert.throws(() => takeTurns("a", 1), tooMany);
  takeTurns("b", 512);
  takeTurns("c", 512);
  takeTurns("d", 511);
  assert.throws(() => takeTurns("d", 2), tooMany);
  const [last] = takeTurns("e", 8);
  await last; // The fifth to begin. Nobody waits for the others.
  assert.throws(() => takeTurns("e", 8), tooMany);
});
