/** For tests: a project whose text concerns as many corrections as they need. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { type CorrectionChange, ruleOf } from "../../src/domain/correction.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { createScenario, ingest } from "./scenario.ts";

export const keyOf = (name: string) => name.toLowerCase();
export const person = (name: string) => ({ type: "Person", name, also: [] });

/** A project whose only text names "N0", which `size` corrections rename, each the name that the one before gave it. */
export async function projectWithChain(test: TestContext, size: number, documents = 1) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-corrections-"));
  const opened = await openStore({ databaseUrl: null, dataDir });
  test.after(async () => {
    await opened.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const scenario = createScenario(opened.store, "work");
  const project = await scenario.project();
  const { projectId, accountId } = project;
  const texts = Array.from({ length: documents }, (_, at): [string, string] => [`d${at}`, "N0"]);
  await ingest(scenario, project, texts, { graphOf });
  const outcome = await opened.store.addCorrections({
    ...{
      projectId,
      accountId,
      maxPerProject: size,
      maxBytesPerProject: 1e9,
      maxNamesPerProject: 1e9,
      maxStoredBytes: null,
    },
    corrections: Array.from({ length: size }, (_, at) => {
      const change: CorrectionChange = { kind: "rename", entity: person(`N${at}`), name: `N${at + 1}` };
      return {
        ...{ correctionId: `c${at}`, projectId, change, reason: null, accountId, keyId: null, createdAt: 1 },
        rule: ruleOf(change, keyOf),
      };
    }),
  });
  assert.equal(outcome.kind, "accepted");
  return { opened, projectId, scenario, project };
}
