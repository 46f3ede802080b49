/** A process that deletes, replaces and is killed before the graph has followed. */
import { writeSync } from "node:fs";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { longGraphOf } from "./behaviours/graph-facts.ts";
import { commit, createScenario, follow } from "./scenario.ts";

const [dataDir = "", databaseUrl = ""] = process.argv.slice(2);
const { store } = await openStore({ databaseUrl: databaseUrl === "" ? null : databaseUrl, dataDir });
const scenario = createScenario(store, "killed");
const [project, gone] = [await scenario.project(), await scenario.project()];
const { projectId } = project;

async function ingest(
  to: typeof project,
  [id, text]: readonly [string, string],
  mentions?: number,
): Promise<string> {
  const { jobIds } = await scenario.accept(to, [[id, text]]);
  await commit(store, await scenario.claim(), { graphOf: (chunk) => longGraphOf(chunk, mentions) });
  return jobIds[0] ?? "";
}

const text = Array.from({ length: 300 }, (_, at) => `N${at}`).join(" ");
await ingest(gone, ["a", text], 1);
await ingest(project, ["deleted", "Ada Bob Cleo Dora"]);
await ingest(project, ["replaced", "Ada Emil Fred Gina"]);
await follow(store, gone.projectId);
await follow(store, projectId);
const jobId = await ingest(project, ["replaced", "Ada Hugo Ines"]);
await store.deleteDocument({ projectId, sourceDocId: "deleted", now: 3_000, errorMessage: "deleted" });
await store.applyVersionChanges({ projectId, now: 3_000 });
await store.deleteProject({ projectId: gone.projectId });
writeSync(1, `${JSON.stringify({ projectId, jobId, goneId: gone.projectId })}\n`);
setInterval(() => undefined, 60_000);
