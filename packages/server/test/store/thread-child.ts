/** Uses a database that another thread opened: once through its ports, once with a reader of its own. */
import { parentPort, workerData } from "node:worker_threads";
import {
  openThreadReader,
  openThreadStore,
  type ThreadDatabase,
} from "../../src/adapters/database/open-store.ts";
import { commit, createScenario } from "./scenario.ts";

const { writing, reading } = workerData as { writing: ThreadDatabase; reading: ThreadDatabase };
const store = await openThreadStore(writing);
const reader = await openThreadReader(reading);
const scenario = createScenario(store, "thread");
const project = await scenario.project();
const { projectId } = project;
await scenario.accept(project, [["a", "one two"]]);
const outcome = await commit(store, await scenario.claim());
const vectors = await reader.readVectors({ projectId, vectorSet: 0, keys: [{ versionId: 1, position: 1 }] });
const index = await reader.readIndexState({ projectId });
await reader.close();
await store.close();
parentPort?.postMessage({ projectId, outcome, vectors, writes: "createProject" in reader, index });
