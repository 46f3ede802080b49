import assert from "node:assert/strict";
import { test } from "node:test";
import { placesFor } from "./places.ts";

const known = {
  projects: [{ project_id: "prj_1", name: "Keys of pianos", mode: "vector_only" }],
  projectId: "prj_1",
  entities: [{ entity_id: "7", name: "Ada Webb", type: "Person" }],
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

test("entities and documents of the open project are found, and nothing of another one", () => {
  const [entity] = placesFor("ada", known);
  assert.deepEqual([entity?.label, entity?.kind], ["Ada Webb", "Person"]);
  assert.deepEqual(entity?.goal, { path: "/projects/prj_1/entity?id=%227%22" });
});

test("commands are found by usual words, and are not in the way of pages without a text", () => {
  const goalOf = (text: string) => placesFor(text, { ...known, documents: [], entities: [] })[0]?.goal;
  assert.deepEqual(goalOf("night"), { command: "dark" });
  assert.deepEqual(goalOf("log out"), { command: "sign-out" });
  assert.deepEqual(goalOf("new project"), { path: "/projects?new=true" });
  assert.deepEqual(goalOf("upload"), { path: "/projects/prj_1/ingest" });
  assert.ok(placesFor("", known).every(({ kind }) => kind !== "Command"));
});
