/** A process that ingests until it is killed, and says after each batch that it is on disk. */
import { writeSync } from "node:fs";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { commit, createScenario, LONG_AGO, wordsOf } from "./scenario.ts";

const [dataDir = "", round = ""] = process.argv.slice(2);
const { store } = await openStore({ databaseUrl: null, dataDir });
await store.expireAllLeases({ now: LONG_AGO });
const scenario = createScenario(store, round);
const project = await scenario.project({ accountId: "crash" });
for (let number = 0; ; number++) {
  const text = `r${round}n${number}a r${round}n${number}b r${round}n${number}c`;
  const { jobIds } = await scenario.accept(project, [[`d${number}`, text]]);
  tell({ kind: "accepted", projectId: project.projectId, jobId: jobIds[0] });
  const claimed = await scenario.claim();
  const [job] = claimed.jobs;
  if (job === undefined) throw new Error("There was nothing to claim.");
  for (let from = job.nextPosition; from < wordsOf(job.text).length; from++) {
    const outcome = await commit(store, claimed, { from, count: 1 });
    if (outcome !== "committed") throw new Error(outcome);
    tell({
      kind: "committed",
      projectId: job.projectId,
      versionId: job.versionId,
      position: from,
      word: wordsOf(job.text)[from],
    });
  }
}

/** Written at once: what the parent has read was acknowledged before the kill. */
function tell(event: object): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}
