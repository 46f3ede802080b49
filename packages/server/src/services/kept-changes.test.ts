import assert from "node:assert/strict";
import { test } from "node:test";
import { errors } from "../domain/errors.ts";
import { StoreUnavailableError } from "../ports/store.ts";
import { afterKept, applyChanges, followKeptChange } from "./kept-changes.ts";

/** Answers of the steps, one after another; an error is thrown. */
function storeOf(answers: (boolean | Error)[]) {
  return {
    async applyVersionChanges() {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer === true;
    },
  };
}

test("a database that fails while the graph follows does not make a kept change fail", async () => {
  const busy = new StoreUnavailableError("busy", "It is locked.", undefined);
  const logged: unknown[] = [];
  const log = { warn: (event: string, fields?: unknown) => void logged.push([event, fields]) };
  await followKeptChange("p", { store: storeOf([true, busy]), now: () => 0, log });
  assert.deepEqual(logged, [["graph_follows_later", { projectId: "p", error: busy }]]);
  await assert.rejects(applyChanges("p", { store: storeOf([true, busy]), now: () => 0 }), busy);
  const fault = new Error("a fault of the program");
  await assert.rejects(followKeptChange("p", { store: storeOf([fault]), now: () => 0, log }), fault);
});

test("the graph is waited for until it has followed, or for the time that is given", async () => {
  let now = 0;
  const steps = [true, true, false, true];
  await applyChanges("p", { store: storeOf(steps), now: () => now++ });
  assert.deepEqual(steps, [true]);
  const many = Array.from({ length: 100 }, () => true);
  await applyChanges("p", { store: storeOf(many), now: () => now++ }, 20);
  assert.equal(many.length, 90, "each step reads the clock twice");
});

test("a failure after a kept change says what is kept, and a fault of the program what it says", async () => {
  const failing = (error: Error) => afterKept("The name is changed.", () => Promise.reject(error));
  const busy = new StoreUnavailableError("busy", "It is locked.", undefined);
  await assert.rejects(failing(busy), { reason: "busy", message: "The name is changed. It is locked." });
  const refused = errors.projectAtWork("working");
  const { kind, retryAfterSeconds } = refused;
  const message = `The name is changed. ${refused.message}`;
  await assert.rejects(failing(refused), { kind, message, retryAfterSeconds });
  await assert.rejects(failing(new Error("a fault")), { message: "a fault" });
});
