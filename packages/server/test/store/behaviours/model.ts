import assert from "node:assert/strict";
import fc from "fast-check";
import type { Project } from "../../../src/domain/project.ts";
import { type Claimed, commit, type Scenario, visibleWords } from "../scenario.ts";
import { createModel, type ModelJob } from "./reference-model.ts";

/** Texts that a document may have: words are distinct between texts, so that none is taken for another. */
const texts = ["", "a1", "b1 b2", "c1 c2 c3"] as const;
const documents = ["x", "y"] as const;

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("accept" as const),
      document: fc.constantFrom(...documents),
      text: fc.constantFrom(...texts),
      label: fc.constantFrom("", "red"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("claim" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("commit" as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retry" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("release" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("delete" as const), document: fc.constantFrom(...documents) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** Random sequences of ingests, batches and failures against a model in memory, step by step. */
export async function checkAgainstModel(scenario: Scenario, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 30, size: "max" }), async (commands) => {
      const project = await scenario.project();
      const run = createRun(scenario, project);
      for (const step of commands) {
        await run.step(step);
        await run.compare();
      }
      await scenario.clear();
    }),
    { numRuns, seed: 20_310_405, endOnFailure: true },
  );
}

interface Held {
  readonly claimed: Claimed;
  readonly job: ModelJob;
}

/** Carries each command out on the store and in the model. */
function createRun(scenario: Scenario, project: Project) {
  const { store } = scenario;
  const { projectId } = project;
  const model = createModel(documents);
  let held: Held | null = null;

  async function claim(): Promise<Held | null> {
    const expected = model.claim();
    const claimed = await scenario.claim();
    assert.equal(claimed.jobs[0]?.jobId, expected?.jobId);
    assert.equal(claimed.jobs[0]?.nextPosition, expected?.version?.count);
    assert.equal(claimed.jobs[0]?.metadata["label"] ?? "", expected?.label ?? "");
    return expected === null ? null : { claimed, job: expected };
  }

  async function commitNext({ claimed, job }: Held, count: number): Promise<Held | null> {
    const from = job.version?.count ?? 0;
    assert.equal(await commit(store, claimed, { from, count }), "committed");
    model.commit(job, count);
    return job.status === "completed" ? null : { claimed, job };
  }

  async function fail({ claimed, job }: Held, retryAt: number | null): Promise<void> {
    const failure = { jobIds: [job.jobId], projectId, leaseToken: claimed.leaseToken, now: 3_000 };
    await store.failJobs({ ...failure, errorMessage: "broken", retryAt });
    if (retryAt === null) job.status = "failed";
  }

  async function remove(sourceDocId: string): Promise<void> {
    const deletion = { projectId, sourceDocId, now: 3_000, errorMessage: "deleted" };
    assert.equal(await store.deleteDocument(deletion), model.delete(sourceDocId) ? "deleted" : "not_found");
    if (held?.job.document !== sourceDocId) return;
    assert.equal(await commit(store, held.claimed, { from: held.job.version?.count ?? 0 }), "lease_lost");
    held = null;
  }

  async function step(command: Command): Promise<void> {
    if (command.kind === "delete") return remove(command.document);
    if (command.kind === "accept") {
      const { document, text, label } = command;
      const { jobIds } = await scenario.accept(project, [[document, text, label === "" ? {} : { label }]]);
      model.accept({ jobId: jobIds[0] ?? "", document, text, label });
      return;
    }
    if (held === null) {
      if (command.kind === "claim") held = await claim();
      return;
    }
    if (command.kind === "commit") {
      held = await commitNext(held, command.count);
      return;
    }
    if (command.kind === "claim") return;
    if (command.kind === "release") await store.releaseJobs({ leaseToken: held.claimed.leaseToken });
    else await fail(held, command.kind === "retry" ? 1_500 : null);
    held = null;
  }

  async function compare(): Promise<void> {
    const jobs = await store.listJobs({ projectId, page: { limit: 100, offset: 0 } });
    assert.deepEqual(
      jobs.map((job) => [job.jobId, job.status, job.chunksProcessed]),
      model.jobs.map((job) => [job.jobId, job.status, job.processed]).toReversed(),
    );
    assert.deepEqual(await visibleWords(store, projectId), model.visible());
    const state = await store.readIndexState({ projectId });
    const indexed = state?.segments.map((segment) => segment.chunkCount - segment.deadChunkCount) ?? [];
    assert.equal(
      indexed.reduce((sum, count) => sum + count, 0),
      model.chunkCount(),
    );
  }
  return { step, compare };
}
