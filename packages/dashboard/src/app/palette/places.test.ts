import assert from "node:assert/strict";
import { test } from "node:test";
import { placesFor } from "./places.ts";

const known = {
  projects: [{ project_id: "prj_1", name: "Keys of pianos", mode: "vector_only" }],
  projectId: "prj_1",
  documents: Array.from({ length: 20 }, (_, at) => ({ source_doc_id: `webhooks ${at}` })),
};
const first = (text: string) => placesFor(text, known)[0]?.label;

test("pages are found by their names and by other words for them, before documents and projects", () => {
  assert.equal(first("MCP"), "Agents");
  assert.equal(first("agents"), "Agents");
  assert.equal(first("webhook"), "Webhooks");
  assert.equal(first("keys"), "API keys");
  assert.equal(first("jobs"), "Jobs");
  assert.equal(placesFor("keys", known)[1]?.label, "Keys of pianos");
});

test("what has exactly the name comes first, whatever it is", () => {
  const projects = ["Usage of a", "Usage of b", "Usage of c", "Usage of d", "Ask", "Key"].map((name, at) => ({
    ...{ project_id: `prj_${at}`, name, mode: "vector_only" },
  }));
  const many = { ...known, projects: [...known.projects, ...projects] };
  const kindOf = (text: string) => placesFor(text, many)[0];
  assert.equal(kindOf("key")?.label, "Key");
  assert.equal(kindOf("usage")?.kind, "Page");
  assert.equal(kindOf("webhooks 3")?.kind, "Document");
  const [page, project] = placesFor("ask", { ...many, projectId: "prj_4" });
  assert.deepEqual([page?.kind, project?.kind], ["Ask", "Project"]);
});
