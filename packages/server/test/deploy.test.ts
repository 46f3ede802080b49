/** The files in deploy/ name metrics that the service has. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../../..");
const read = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((path) => readFileSync(join(root, path), "utf8"));

test("dashboard, alert rules and chart use metrics that exist", () => {
  const sources =
    read("packages/server/src/*metrics.ts").join("\n") +
    read("packages/server/src/model-status.ts").join("\n");
  const files = [...read("deploy/**/*.{json,yaml}"), ...read("docs/runbook.md")];
  const used = new Set(files.flatMap((text) => text.match(/\bkcs_[a-z_]{1,60}/g) ?? []));
  assert.ok(used.size > 20, "The files are found.");
  for (const name of used) {
    const metric = name.replace(/_(?:bucket|sum|count)$/, "");
    // Those of language models are declared without their common beginning.
    const declared = metric.replace("kcs_language_model_", "");
    assert.ok(sources.includes(`"${declared}"`), `${name} is no metric of the service.`);
  }
});
