import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createDeletions, undoMs } from "./deletions.ts";

function scene(send: (id: string) => Promise<unknown> = async () => undefined) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = new EventTarget();
  Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) });
  const sent: string[] = [];
  const deletions = createDeletions((_projectId, id) => {
    sent.push(id);
    return send(id);
  });
  const outcomes: unknown[] = [];
  const schedule = (...ids: string[]) =>
    deletions.schedule({ projectId: "p", sourceDocIds: ids }, async (outcome) => outcomes.push(outcome));
  return { deletions, schedule, sent, outcomes, page };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test.afterEach(() => {
  mock.timers.reset();
  Reflect.deleteProperty(globalThis, "addEventListener");
});

test("documents are hidden at once, and deleted after the time for an undo", async () => {
  const { deletions, schedule, sent, outcomes } = scene();
  schedule("a", "b");
  assert.deepEqual([...deletions.hiddenIn("p")], ["a", "b"]);
  mock.timers.tick(undoMs - 1);
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  await settle();
  assert.deepEqual([sent, outcomes], [["a", "b"], [{ failed: 0, reason: null }]]);
  assert.equal(deletions.hiddenIn("p").size, 0);
});

test("an undo shows them again, and nothing is sent", async () => {
  const { deletions, schedule, sent } = scene();
  schedule("a")();
  mock.timers.tick(undoMs);
  await settle();
  assert.deepEqual([sent, deletions.hiddenIn("p").size], [[], 0]);
});

test("what waits is sent once, at once when the page is left and before a sign-out", async () => {
  const { deletions, schedule, sent, page } = scene();
  schedule("a", "b");
  page.dispatchEvent(new Event("pagehide"));
  assert.deepEqual(sent, ["a", "b"]);
  schedule("c");
  await deletions.flush();
  mock.timers.tick(undoMs);
  await settle();
  assert.deepEqual(sent, ["a", "b", "c"]);
});

test("a sign-out waits for what is being sent, and an undo says that it is too late then", async () => {
  let answer: () => void = () => undefined;
  const { deletions, schedule, sent } = scene(
    () => new Promise<undefined>((resolve) => (answer = () => resolve(undefined))),
  );
  const undo = schedule("a");
  mock.timers.tick(undoMs);
  assert.equal(undo(), false);
  let isOver = false;
  const flushed = deletions.flush().then(() => (isOver = true));
  await settle();
  assert.deepEqual([sent, isOver], [["a"], false]);
  answer();
  await flushed;
  assert.deepEqual(sent, ["a"]);
});

test("a deletion that fails is told with its reason, and shows the document again", async () => {
  const { deletions, schedule, outcomes } = scene(async (id) => {
    if (id === "b") throw new Error("refused");
  });
  schedule("a", "b");
  await deletions.flush();
  assert.deepEqual(outcomes, [{ failed: 1, reason: "refused" }]);
  assert.equal(deletions.hiddenIn("p").size, 0);
});
