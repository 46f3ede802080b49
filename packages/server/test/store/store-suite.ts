/** The store's behaviours, which each database must show. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import { checkApiKeys } from "./behaviours/api-keys.ts";
import { archiveBehaviours } from "./behaviours/archives.ts";
import { attemptBehaviours } from "./behaviours/attempts.ts";
import { commitBehaviours } from "./behaviours/commit.ts";
import { concurrencyBehaviours } from "./behaviours/concurrency.ts";
import { conversionBehaviours } from "./behaviours/conversions.ts";
import { checkCorrections } from "./behaviours/correction-histories.ts";
import { correctionBehaviours } from "./behaviours/corrections.ts";
import { documentBehaviours } from "./behaviours/documents.ts";
import { feedbackBehaviours } from "./behaviours/feedback.ts";
import { fileBehaviours } from "./behaviours/files.ts";
import { browsingBehaviours } from "./behaviours/graph-browsing.ts";
import { evidenceBehaviours } from "./behaviours/graph-evidence.ts";
import { checkLedger } from "./behaviours/graph-histories.ts";
import { ledgerBehaviours } from "./behaviours/graph-ledger.ts";
import { levelBehaviours } from "./behaviours/graph-levels.ts";
import { checkLimits, limitBehaviours } from "./behaviours/graph-limits.ts";
import { passageBehaviours } from "./behaviours/graph-passages.ts";
import { proposalBehaviours } from "./behaviours/graph-proposals.ts";
import { untypedBehaviours } from "./behaviours/graph-untyped.ts";
import { indexBehaviours } from "./behaviours/index.ts";
import { ingestionBehaviours } from "./behaviours/ingestion.ts";
import { jobControlBehaviours } from "./behaviours/job-control.ts";
import { mergingBehaviours } from "./behaviours/merging.ts";
import { metadataBehaviours } from "./behaviours/metadata.ts";
import { checkAgainstModel } from "./behaviours/model.ts";
import { modelBehaviours } from "./behaviours/models.ts";
import { ontologyVersionBehaviours } from "./behaviours/ontology-versions.ts";
import { processBehaviours } from "./behaviours/processes.ts";
import { progressBehaviours } from "./behaviours/progress.ts";
import { projectBehaviours } from "./behaviours/projects.ts";
import { queueBehaviours } from "./behaviours/queue.ts";
import { reembeddingBehaviours } from "./behaviours/reembedding.ts";
import { repairBehaviours } from "./behaviours/repair.ts";
import { requestKeyBehaviours } from "./behaviours/request-keys.ts";
import { rereadRefusalBehaviours } from "./behaviours/reread-refusals.ts";
import { rereadBehaviours } from "./behaviours/rereads.ts";
import { settingBehaviours } from "./behaviours/settings.ts";
import { tokenBehaviours } from "./behaviours/tokens.ts";
import { upkeepBehaviours } from "./behaviours/upkeep.ts";
import { usageBehaviours } from "./behaviours/usage.ts";
import { versionChangeBehaviours } from "./behaviours/version-changes.ts";
import { webhookBehaviours } from "./behaviours/webhooks.ts";
import { type Behaviour, createScenario, type Scenario } from "./scenario.ts";

const behaviours: Readonly<Record<string, readonly Behaviour[]>> = {
  projects: projectBehaviours,
  ingestion: ingestionBehaviours,
  metadata: metadataBehaviours,
  documents: documentBehaviours,
  files: fileBehaviours,
  conversions: conversionBehaviours,
  archives: archiveBehaviours,
  queue: queueBehaviours,
  attempts: attemptBehaviours,
  commits: commitBehaviours,
  tokens: tokenBehaviours,
  index: indexBehaviours,
  passages: passageBehaviours,
  graph: ledgerBehaviours,
  "untyped names": untypedBehaviours,
  "limits of entities": limitBehaviours,
  "version changes": versionChangeBehaviours,
  browsing: browsingBehaviours,
  proposals: proposalBehaviours,
  "sentences of edges": evidenceBehaviours,
  levels: levelBehaviours,
  merging: mergingBehaviours,
  repair: repairBehaviours,
  reembedding: reembeddingBehaviours,
  rereads: rereadBehaviours,
  "refused rereads": rereadRefusalBehaviours,
  "versions of ontologies": ontologyVersionBehaviours,
  models: modelBehaviours,
  upkeep: upkeepBehaviours,
  usage: usageBehaviours,
  settings: settingBehaviours,
  processes: processBehaviours,
  "job control": jobControlBehaviours,
  feedback: feedbackBehaviours,
  corrections: correctionBehaviours,
  progress: progressBehaviours,
  webhooks: webhookBehaviours,
  "request keys": requestKeyBehaviours,
  concurrency: concurrencyBehaviours,
};

/** A round trip to a server costs ten times one to a thread. */
const modelRuns = { sqlite: 30, postgres: 8 };
const ledgerRuns = { sqlite: 12, postgres: 4 };
const limitRuns = { sqlite: 12, postgres: 4 };

/** Call it at the top of a test file. `createUrl` gives the address of a new database, or null for the embedded one. */
export function describeStore(kind: "sqlite" | "postgres", createUrl: () => Promise<string | null>): void {
  describe(`the store on ${kind}`, () => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-store-"));
    let opened: OpenedStore | null = null;
    let scenario: Scenario;
    before(async () => {
      opened = await openStore({ databaseUrl: await createUrl(), dataDir });
      scenario = createScenario(opened.store, kind);
    });
    afterEach(() => scenario.clear());
    after(async () => {
      await opened?.store.close();
      rmSync(dataDir, { recursive: true, force: true });
    });
    test("API keys are found by their hash in the accounts library's own table, and their uses recorded", async () => {
      assert(opened);
      await checkApiKeys(opened);
    });
    test("random sequences of ingests, batches and failures end as in a model", () =>
      checkAgainstModel(scenario, modelRuns[kind]));
    test("after any history of ingests, replacements and removals the graph is that of a fresh ingest of what remains", () =>
      checkLedger(scenario, ledgerRuns[kind]));
    test("after any history across the limits of entities they are those of a fresh ingest of what remains", () =>
      checkLimits(scenario, limitRuns[kind]));
    test("after any history of ingests and corrections the graph is that of a fresh ingest of what remains with the same corrections", () =>
      checkCorrections(scenario, ledgerRuns[kind]));
    for (const [subject, list] of Object.entries(behaviours)) {
      describe(subject, () => {
        for (const [name, run] of list) test(name, () => run(scenario));
      });
    }
  });
}
