/** The store's behaviours, which each database must show. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import type { Store } from "../../src/ports/store.ts";
import { checkApiKeys } from "./behaviours/api-keys.ts";
import { archiveBehaviours } from "./behaviours/archives.ts";
import { attemptBehaviours } from "./behaviours/attempts.ts";
import { commitBehaviours } from "./behaviours/commit.ts";
import { concurrencyBehaviours } from "./behaviours/concurrency.ts";
import { confirmedEndBehaviours } from "./behaviours/confirmed-ends.ts";
import { conversionBehaviours } from "./behaviours/conversions.ts";
import { correctionEffectBehaviours } from "./behaviours/correction-effects.ts";
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
import { checkTimes, timeBehaviours } from "./behaviours/graph-times.ts";
import { untypedBehaviours } from "./behaviours/graph-untyped.ts";
import { indexBehaviours } from "./behaviours/index.ts";
import { ingestionBehaviours } from "./behaviours/ingestion.ts";
import { jobControlBehaviours } from "./behaviours/job-control.ts";
import { lessonBehaviours } from "./behaviours/lessons.ts";
import { mergingBehaviours } from "./behaviours/merging.ts";
import { metadataBehaviours } from "./behaviours/metadata.ts";
import { checkAgainstModel } from "./behaviours/model.ts";
import { modelBehaviours } from "./behaviours/models.ts";
import { checkMovedCorrections, movedCorrectionBehaviours } from "./behaviours/moved-corrections.ts";
import { ontologyVersionBehaviours } from "./behaviours/ontology-versions.ts";
import { processBehaviours } from "./behaviours/processes.ts";
import { progressBehaviours } from "./behaviours/progress.ts";
import { projectBehaviours } from "./behaviours/projects.ts";
import { queueBehaviours } from "./behaviours/queue.ts";
import { reembeddingBehaviours } from "./behaviours/reembedding.ts";
import { repairBehaviours } from "./behaviours/repair.ts";
import { requestKeyBehaviours } from "./behaviours/request-keys.ts";
import { rereadDocumentBehaviours } from "./behaviours/reread-documents.ts";
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
  "times of edges": timeBehaviours,
  levels: levelBehaviours,
  merging: mergingBehaviours,
  repair: repairBehaviours,
  reembedding: reembeddingBehaviours,
  rereads: rereadBehaviours,
  "rereads of some documents": rereadDocumentBehaviours,
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
  "ends of confirmed proposals": confirmedEndBehaviours,
  "effects of corrections": correctionEffectBehaviours,
  "corrections of moved projects": movedCorrectionBehaviours,
  lessons: lessonBehaviours,
  progress: progressBehaviours,
  webhooks: webhookBehaviours,
  "request keys": requestKeyBehaviours,
  concurrency: concurrencyBehaviours,
};

/** Call it at the top of a test file. `createUrl` gives the address of a new database, or null for the embedded one. */
export function describeStore(
  kind: DatabaseKind,
  createUrl: CreateUrl,
  options: { readonly wrap?: Wrap; readonly runs?: HistoryRuns } = {},
): void {
  const { wrap, runs = { model: 8, others: 3 } } = options;
  describe(`the store on ${kind}`, () => {
    const use = useScenario(kind, createUrl, wrap);
    test("API keys are found by their hash in the accounts library's own table, and their uses recorded", () =>
      checkApiKeys(use().opened));
    testHistories(() => use().scenario, runs);
    for (const [subject, list] of Object.entries(behaviours)) {
      describe(subject, () => {
        for (const [name, run] of list) test(name, () => run(use().scenario));
      });
    }
  });
}

/** The behaviours that concern segments, with their bytes outside of the database. Call it at the top of a test file. */
export function describeOutside(
  kind: DatabaseKind,
  createUrl: CreateUrl,
  outside: { readonly name: string; wrap(store: Store): Promise<Store>; isEmpty(): boolean },
): void {
  describe(`the store on ${kind} with segments in a ${outside.name}`, () => {
    const use = useScenario(kind, createUrl, outside.wrap);
    test("random sequences of ingests, batches and failures end as in a model", () =>
      checkAgainstModel(use().scenario, 4));
    for (const subject of SUBJECTS_OF_SEGMENTS) {
      describe(subject, () => {
        for (const [name, run] of behaviours[subject] ?? [])
          if (!NOT_OUTSIDE.has(name)) test(name, () => run(use().scenario));
      });
    }
    test("of all that was written, merged, replaced and deleted, nothing is left in the end", async () => {
      const { store, clear } = use().scenario;
      await clear();
      // The times of objects whose segments were removed are chosen at the first step.
      for (const now of [1, FAR_OFF]) {
        for (let more = true; more; ) more = await store.reclaim({ now, maxPages: 0 });
      }
      assert.equal(await store.nextObjects({ now: FAR_OFF }), false);
      assert.ok(outside.isEmpty());
    });
  });
}

const SUBJECTS_OF_SEGMENTS = [
  "projects",
  "commits",
  "index",
  "merging",
  "repair",
  "reembedding",
  "concurrency",
];
/** Objects of other behaviours are due to be removed, so upkeep always is. */
const NOT_OUTSIDE: ReadonlySet<string> = new Set([
  "upkeep is due with many segments or a repair, until it was looked at",
]);
const FAR_OFF = 12 * 60 * 60_000;

/** The store after histories that are drawn. Call it at the top of a test file. */
export function describeHistories(kind: DatabaseKind, createUrl: CreateUrl, runs: HistoryRuns): void {
  describe(`the store on ${kind}`, () => {
    const use = useScenario(kind, createUrl);
    testHistories(() => use().scenario, runs);
  });
}

type DatabaseKind = "sqlite" | "postgres";
type Wrap = (store: Store) => Promise<Store>;
type CreateUrl = () => Promise<string | null>;

/** How many histories are drawn. */
interface HistoryRuns {
  readonly model: number;
  readonly others: number;
}

function testHistories(use: () => Scenario, { model, others }: HistoryRuns): void {
  test("random sequences of ingests, batches and failures end as in a model", () =>
    checkAgainstModel(use(), model));
  test("after any history of ingests, replacements and removals the graph is that of a fresh ingest of what remains", () =>
    checkLedger(use(), others));
  test("after any history across the limits of entities they are those of a fresh ingest of what remains", () =>
    checkLimits(use(), others));
  test("after any history of ingests and corrections the graph is that of a fresh ingest of what remains with the same corrections", () =>
    checkCorrections(use(), others));
  test("after any history with moves to ontologies that have other names for the types the graph is that of a fresh ingest with the corrections as they are listed", () =>
    checkMovedCorrections(use(), 2 * others));
  test("what holds at a time is what all statements tell together", () => checkTimes(use(), 12 * others));
}

/** A store for the tests of the surrounding `describe`, emptied after each. */
function useScenario(
  kind: DatabaseKind,
  createUrl: CreateUrl,
  wrap: Wrap = async (store) => store,
): () => { readonly opened: OpenedStore; readonly scenario: Scenario } {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-store-"));
  let current: { readonly opened: OpenedStore; readonly scenario: Scenario } | null = null;
  before(async () => {
    const opened = await openStore({ databaseUrl: await createUrl(), dataDir });
    current = { opened, scenario: createScenario(await wrap(opened.store), kind) };
  });
  afterEach(() => current?.scenario.clear());
  after(async () => {
    await current?.opened.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return () => {
    assert(current);
    return current;
  };
}
