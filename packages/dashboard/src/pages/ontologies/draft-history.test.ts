import assert from "node:assert/strict";
import { test } from "node:test";
import { beginHistory, redone, undone, withStep } from "./draft-history.ts";

const draft = (text: string) => ({ name: "Harbour", text });

test("steps are undone and redone in their order", () => {
  const made = withStep(withStep(beginHistory(draft("a")), draft("b")), draft("c"));
  const back = undone(undone(made));
  assert.equal(back.present.text, "a");
  assert.equal(undone(back), back);
  assert.equal(redone(back).present.text, "b");
  assert.equal(redone(redone(redone(back))).present.text, "c");
});

test("a step after an undone one takes its place", () => {
  const history = withStep(undone(withStep(beginHistory(draft("a")), draft("b"))), draft("c"));
  assert.equal(redone(history).present.text, "c");
  assert.equal(undone(history).present.text, "a");
});

test("what is typed into one field is one step", () => {
  const typed = ["x", "xy", "xyz"].reduce(
    (history, text) => withStep(history, draft(text), "text"),
    withStep(beginHistory(draft("a")), draft("b")),
  );
  assert.equal(undone(typed).present.text, "b");
  const renamed = withStep(typed, { ...draft("xyz"), name: "Port" }, "name");
  assert.equal(undone(renamed).present.text, "xyz");
  assert.equal(undone(undone(renamed)).present.text, "b");
});

test("the history of a large text has a limit, and the last step can be undone in any case", () => {
  const large = (name: string) => ({ name, text: "x".repeat(7_000_000) });
  const history = ["b", "c", "d", "e"].reduce(
    (made, name) => withStep(made, large(name)),
    beginHistory(large("a")),
  );
  assert.deepEqual(
    history.past.map(({ name }) => name),
    ["b", "c", "d"],
  );
  const huge = { name: "huge", text: "x".repeat(20_000_000) };
  assert.equal(undone(withStep(beginHistory(huge), draft("a"))).present.name, "huge");
  const many = Array.from({ length: 500 }, (_, at) => draft(String(at)));
  const long = many.reduce((made, each) => withStep(made, each), beginHistory(draft("a")));
  assert.equal(long.past.length, 200);
});
