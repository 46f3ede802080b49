/** A Citus cluster gets another worker, and shards move to it, while projects are ingested into and asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createCitus, rebalance, skip } from "../support/citus.ts";
import type { Client } from "../support/http-client.ts";
import { waitForJob } from "../support/ingestion.ts";
import { createGraphProject, documentOf } from "../support/outages.ts";
import { createHome, withService } from "../support/service.ts";

/** With four shards a table, some of them move. */
const PROJECTS = 8;
/** Of a project: no list is longer. */
const MOST_DOCUMENTS = 500;
/** After the end of its job, a document is found. */
const VISIBLE_MS = 5_000;
/** Before the shards move, and after. */
const CALM_MS = 5_000;

interface Load {
  /** Requests that were not answered 200, and documents that were not found. */
  readonly faults: readonly string[];
  /** Milliseconds after which documents were found that the first question did not find. */
  readonly late: readonly number[];
  /** Of the questions, in milliseconds. */
  readonly slowest: number;
  readonly documents: ReadonlyMap<string, number>;
  end(): Promise<void>;
}

/** Ingests one document after the other into each project, and asks for each. */
function keepUsing(owner: Client, projectIds: readonly string[]): Load {
  const faults: string[] = [];
  const late: number[] = [];
  const documents = new Map<string, number>();
  let slowest = 0;
  let hasEnded = false;
  async function use(projectId: string): Promise<void> {
    const params = { project_id: projectId };
    for (let number = 0; number < MOST_DOCUMENTS && !hasEnded; number++) {
      const accepted = await owner.endpoint("ingest", { params, body: documentOf(number) });
      if (accepted.status !== 200) {
        faults.push(accepted.text);
        continue;
      }
      documents.set(projectId, number + 1);
      const { status, error_message } = await waitForJob(owner, projectId, Object(accepted.json).job_id);
      if (status !== "completed") faults.push(`note-${number}: ${error_message}`);
      const began = performance.now();
      const body = {
        query: `Which works was founded in ${1800 + number}?`,
        top_k: 100,
        include: ["provenance"],
      };
      const isFound = async () => {
        const answer = await owner.endpoint("query", { params, body });
        if (answer.status !== 200) faults.push(answer.text);
        return answer.text.includes(`"note-${number}"`);
      };
      // The coordinator tells the end of a job at its own commit, and the worker's rows are seen a moment later (docs/citus.md).
      let found = await isFound();
      slowest = Math.max(slowest, performance.now() - began);
      while (!found && performance.now() - began < VISIBLE_MS) {
        await delay(50);
        found = await isFound();
        if (found) late.push(Math.round(performance.now() - began));
      }
      if (!found) faults.push(`note-${number} of ${projectId} is not found.`);
    }
  }
  const uses = Promise.all(projectIds.map(use));
  uses.catch(() => undefined); // Whoever ends it hears of it.
  return {
    faults,
    late,
    documents,
    get slowest() {
      return slowest;
    },
    async end() {
      hasEnded = true;
      await uses;
    },
  };
}

test("shards move to another worker while projects are ingested and asked: no request fails, nothing is lost", {
  skip,
  timeout: 600_000,
}, async (context) => {
  const home = await createHome(await createCitus(1));
  context.after(() => home.remove());
  await withService({ home }, async ({ owner }) => {
    const projectIds: string[] = [];
    for (let at = 0; at < PROJECTS; at++) projectIds.push(await createGraphProject(owner));
    const load = keepUsing(owner, projectIds);
    await delay(CALM_MS);
    const began = performance.now();
    const shards = await rebalance(home.databaseUrl);
    const tookMs = performance.now() - began;
    await delay(CALM_MS);
    await load.end();
    const accepted = [...load.documents.values()].reduce((sum, count) => sum + count, 0);
    context.diagnostic(
      `${accepted} documents; ${Math.round(tookMs)} ms for shards to be ${shards.join(" and ")}; slowest question ${Math.round(load.slowest)} ms; found late: ${load.late.join(", ")}`,
    );
    assert.deepEqual(load.faults, []);
    assert.ok(shards.length > 1, "The new worker has shards.");
    for (const projectId of projectIds) {
      const params = { project_id: projectId };
      const { documents } = await owner.succeed("listDocuments", {
        params,
        query: { limit: MOST_DOCUMENTS },
      });
      const names = Array.from(
        { length: load.documents.get(projectId) ?? 0 },
        (_, number) => `note-${number}`,
      );
      assert.deepEqual(documents.map(({ source_doc_id }) => source_doc_id).toSorted(), names.toSorted());
      for (const { status } of documents) assert.equal(status, "indexed");
    }
  });
});
