import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookChanges } from "./webhook-changes.ts";
import type { WebhookFields } from "./webhook-form.tsx";

const webhook: WebhookFields = {
  url: "https://hooks.example/in",
  description: "Importer",
  events: ["job.completed", "job.failed"],
};

test("only what was changed in the form is sent", () => {
  const change = (part: Partial<WebhookFields>) => webhookChanges(webhook, { ...webhook, ...part });
  assert.equal(change({}), null);
  assert.equal(change({ events: ["job.failed", "job.completed"] }), null);
  assert.deepEqual(change({ description: "" }), { description: null });
  assert.deepEqual(change({ events: ["job.failed"] }), { events: ["job.failed"] });
  assert.deepEqual(change({ url: "https://hooks.example/out" }), { url: "https://hooks.example/out" });
});
