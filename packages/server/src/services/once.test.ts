import assert from "node:assert/strict";
import { test } from "node:test";
import { AlreadyAnswered } from "../domain/once.ts";
import type { CreatingStore, OnceOutcome, OnceStore } from "../ports/event-store.ts";
import { createOnce } from "./once.ts";

type Input = Parameters<CreatingStore["createWebhook"]>[0];

function create(outcome: OnceOutcome, hasKey = true) {
  const store: Partial<CreatingStore & OnceStore> = {
    createWebhook: async () => "created",
    performOnce: async () => outcome,
  };
  const once = { accountId: "account", now: 0, answer: "{}", key: { key: "key", fingerprint: "print" } };
  return createOnce<"createWebhook">(
    store as CreatingStore & OnceStore, // Has the methods that are called.
    { name: "createWebhook", input: {} as Input }, // Nothing reads it.
    hasKey ? once : null,
  );
}

test("with a key the first request creates, a repeated one throws its answer, and another one is refused", async () => {
  assert.equal(await create({ kind: "done", result: "too_many" }), "too_many");
  await assert.rejects(
    create({ kind: "answered", answer: "{}" }),
    (error) => error instanceof AlreadyAnswered && error.answer === "{}",
  );
  await assert.rejects(create({ kind: "differs" }), { kind: "conflict" });
  assert.equal(await create({ kind: "differs" }, false), "created");
});
