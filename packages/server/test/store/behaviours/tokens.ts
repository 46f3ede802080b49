import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import { type Behaviour, commit, hasUsed, type Scenario, visibleWords } from "../scenario.ts";

export const tokenBehaviours: readonly Behaviour[] = [
  [
    "a batch that passes the token limit is committed and charged; the next one fails its job, which keeps its counts",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const { jobIds } = await accept(made, [
        ["a", "one two three"],
        ["a", "after"],
      ]);
      const held = await claim();
      assert.equal(await commit(store, held, { count: 1, tokens: 9, tokenLimit: 10 }), "committed");
      assert.equal(await commit(store, held, { from: 1, count: 1, tokens: 6, tokenLimit: 10 }), "committed");
      const over = await commit(store, held, { from: 2, tokens: 1, tokenLimit: 10, now: 5_000 });
      assert.equal(over, "token_limit");
      const job = await store.findJob({ projectId, jobId: jobIds[0] ?? "" });
      assert.deepEqual(
        [job?.status, job?.errorMessage, job?.chunksProcessed, job?.completedAt],
        ["failed", "Token usage limit exceeded", 2, 5_000],
      );
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"] });
      assert(await hasUsed(scenario, made, 15));
      const refused = await accept(made, [["b", "more"]], { tokenLimit: 10 });
      assert.equal(refused.outcome.kind, "token_limit");
    },
  ],
  [
    "with the limit reached to the token, only a batch that costs none is committed",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      await accept(made, [
        ["a", "one"],
        ["b", "two"],
        ["c", "three"],
      ]);
      assert.equal(await commit(store, await claim(), { tokens: 10, tokenLimit: 10 }), "committed");
      assert.equal(await commit(store, await claim(), { tokens: 0, tokenLimit: 10 }), "committed");
      assert.equal(await commit(store, await claim(), { tokens: 1, tokenLimit: 10 }), "token_limit");
      assert(await hasUsed(scenario, made, 10));
    },
  ],
  [
    "of batches of one account's projects that come at once, one alone may pass the limit",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const accountId = scenario.id("account");
      const projects: Project[] = [];
      for (const _ of [1, 2, 3, 4]) projects.push(await scenario.project({ accountId }));
      for (const project of projects) await accept(project, [["a", "one two"]]);
      const claims: Awaited<ReturnType<Scenario["claim"]>>[] = [];
      for (const _ of projects) claims.push(await claim());
      const outcomes = await Promise.all(
        claims.map((held) => commit(store, held, { tokens: 90, tokenLimit: 90 })),
      );
      assert.deepEqual(outcomes.toSorted(), ["committed", "token_limit", "token_limit", "token_limit"]);
      const [first] = projects;
      assert(first);
      assert(await hasUsed(scenario, first, 90));
    },
  ],
];
