import assert from "node:assert/strict";
import type { Store } from "../../../src/ports/store.ts";
import {
  type Behaviour,
  type Claimed,
  commit,
  hasUsed,
  type Scenario,
  visibleWords,
  wordsOf,
} from "../scenario.ts";

export const concurrencyBehaviours: readonly Behaviour[] = [
  [
    "four workers at once take every job once, and end with what one would",
    async (scenario) => {
      const { store } = scenario;
      const accountId = scenario.id("account");
      const projects = [
        await scenario.project({ accountId }),
        await scenario.project({ accountId }),
        await scenario.project(),
      ];
      const jobIds: string[] = [];
      for (const project of projects) {
        const documents = Array.from({ length: 9 }, (_, index) => [`d${index % 6}`, textOf(index)] as const);
        // Accepting goes on beside the work.
        const [accepted] = await Promise.all([scenario.accept(project, documents), workOnce(scenario)]);
        assert.equal(accepted.outcome.kind, "accepted");
        jobIds.push(...accepted.jobIds);
      }
      const claimed = (await Promise.all([1, 2, 3, 4].map(() => workUntilDone(scenario)))).flat();
      assert.equal(new Set(claimed).size, claimed.length, "a job was claimed twice");

      const tokens = new Map<string, number>();
      for (const project of projects) {
        const { projectId } = project;
        const jobs = await store.listJobs({ projectId, page: { limit: 100, offset: 0 } });
        assert.deepEqual(new Set(jobs.map((job) => job.status)), new Set(["completed"]));
        for (const [index, job] of jobs.toReversed().entries()) {
          assert.equal(job.chunksProcessed, wordsOf(textOf(index)).length);
          tokens.set(project.accountId, (tokens.get(project.accountId) ?? 0) + job.chunksProcessed);
        }
        const expected = Object.fromEntries(
          [0, 1, 2, 3, 4, 5].map((document) => [
            `d${document}`,
            wordsOf(textOf(document < 3 ? document + 6 : document)),
          ]),
        );
        assert.deepEqual(await visibleWords(store, projectId), expected);
      }
      for (const project of projects) {
        assert(await hasUsed(scenario, project, tokens.get(project.accountId) ?? 0));
      }
      const { jobsPending, jobsRunning } = await store.readCounts();
      assert.deepEqual([jobsPending, jobsRunning], [0, 0]);
    },
  ],
  [
    "of many ingests at once, exactly as many pass as the rate allows",
    async (scenario) => {
      const made = await scenario.project();
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          scenario.accept(made, [[`d${index}`, "x"]], { now: 50_000 + index, requestsPerMinute: 5 }),
        ),
      );
      const accepted = outcomes.filter(({ outcome }) => outcome.kind === "accepted");
      assert.equal(accepted.length, 5);
    },
  ],
  [
    "a project that is deleted while workers write to it is gone, with all its rows",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const documents = Array.from({ length: 6 }, (_, index) => [`d${index}`, "one two three"] as const);
      await scenario.accept(made, documents);
      const workers = [1, 2, 3].map(() => workUntilDone(scenario, "lease_lost"));
      assert.equal(await store.deleteProject({ projectId }), true);
      await Promise.all(workers);
      assert.equal(await store.findProject({ projectId }), null);
      assert.deepEqual(await store.listJobs({ projectId, page: { limit: 10, offset: 0 } }), []);
      assert.deepEqual((await scenario.claim({ now: 1e9 })).jobs, []);
    },
  ],
];

function textOf(index: number): string {
  return Array.from({ length: 1 + (index % 3) }, (_, word) => `w${index}-${word}`).join(" ");
}

/** Claims and commits, word by word, until nothing is left to claim. Returns the jobs that it was given. */
async function workUntilDone(
  scenario: Scenario,
  tolerated: "lease_lost" | "none" = "none",
): Promise<readonly string[]> {
  const claimed: string[] = [];
  for (;;) {
    const jobs = await workOnce(scenario, tolerated);
    claimed.push(...jobs);
    if (jobs.length === 0 && !(await scenario.store.nextWork({ now: 2_000 })).readyNow) return claimed;
  }
}

async function workOnce(scenario: Scenario, tolerated = "none"): Promise<readonly string[]> {
  const claimed = await scenario.claim({ maxJobs: 2 });
  await commitWords(scenario.store, claimed, tolerated);
  return claimed.jobs.map((job) => job.jobId);
}

async function commitWords(store: Store, claimed: Claimed, tolerated: string): Promise<void> {
  for (const job of claimed.jobs) {
    for (let from = job.nextPosition; from < wordsOf(job.text).length; from++) {
      const outcome = await commit(store, claimed, { job, from, count: 1 });
      if (outcome === tolerated) return;
      assert.equal(outcome, "committed");
    }
  }
}
