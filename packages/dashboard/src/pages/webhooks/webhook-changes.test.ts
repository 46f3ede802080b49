import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookChanges } from "./webhook-changes.ts";

const webhook = {
  url: "https://hooks.example/in",
  description: "Importer",
  events: ["job.completed", "job.failed"],
} as const;

test("only what was changed in the form is sent", () => {
  const fields = { ...webhook, events: [...webhook.events] };
  const change = (part: Partial<typeof fields>) => webhookChanges({ ...webhook }, { ...fields, ...part });
  assert.equal(change({}), null);
  assert.equal(change({ events: ["job.failed", "job.completed"] }), null);
  assert.deepEqual(change({ description: "" }), { description: null });
  assert.deepEqual(change({ events: ["job.failed"] }), { events: ["job.failed"] });
  assert.deepEqual(change({ url: "https://hooks.example/out" }), { url: "https://hooks.example/out" });
});
