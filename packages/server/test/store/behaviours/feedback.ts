import assert from "node:assert/strict";
import { type Behaviour, month, type Scenario } from "../scenario.ts";

const GIVEN = {
  ...{ rating: "up" as const, query: "q", mode: "static" as const, strategyUsed: "" },
  ...{ sourceDocIds: [], comment: null },
};
/** Of the empty list of documents. */
const LIST_BYTES = 2;

function record(
  { store, id }: Scenario,
  project: { projectId: string; accountId: string },
  { answer, maxStoredBytes = null }: { answer: string; maxStoredBytes?: number | null },
) {
  const { projectId, accountId } = project;
  const given = { ...GIVEN, answer };
  const ids = { projectId, accountId, feedbackId: id("feedback") };
  return store.recordFeedback({
    ...ids,
    given,
    maxPerProject: 3,
    serviceVersion: "1",
    now: 1,
    maxStoredBytes,
  });
}

export const feedbackBehaviours: readonly Behaviour[] = [
  [
    "the bytes of feedback are the account's until its project is deleted, and are not exceeded",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      const stored = async () => (await store.readAccountUse({ accountId, month })).storedBytes;
      const before = await stored();
      await record(scenario, project, { answer: "four" });
      await record(scenario, project, { answer: "four" });
      assert.equal(await stored(), before + 5 + LIST_BYTES);
      const refused = await record(scenario, project, { answer: "more", maxStoredBytes: before + 9 });
      assert.equal(refused.kind, "too_many_bytes");
      const stranger = { projectId, accountId: "somebody else" };
      assert.equal((await record(scenario, stranger, { answer: "mine" })).kind, "project_gone");
      assert.equal(
        (await store.listFeedback({ projectId, rating: null, page: { limit: 9, offset: 0 } })).total,
        1,
      );
      await store.deleteProject({ projectId });
      assert.equal(await stored(), before);
      assert.equal(
        (await store.listFeedback({ projectId, rating: null, page: { limit: 9, offset: 0 } })).total,
        0,
      );
    },
  ],
  [
    "a step that removes feedback of a deleted project removes few megabytes",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      const stored = async () => (await store.readAccountUse({ accountId, month })).storedBytes;
      const before = await stored();
      for (const letter of "abc") await record(scenario, project, { answer: letter.repeat(3 << 20) });
      await store.deleteProject({ projectId });
      const left = [await stored()];
      while (await store.reclaim({ now: 1, maxPages: 0, part: "rows" })) left.push(await stored());
      assert.deepEqual(
        left.slice(0, 3),
        [2, 1, 0].map((count) => before + count * ((3 << 20) + 1 + LIST_BYTES)),
      );
    },
  ],
  [
    "the newest feedback of a project is kept",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      for (const answer of ["1", "2", "3", "4", "2"]) await record(scenario, project, { answer });
      const { keys, total } = await store.listFeedback({
        projectId,
        rating: null,
        page: { limit: 9, offset: 0 },
      });
      const answers = async (some: readonly string[]) =>
        (await store.readFeedback({ projectId, keys: some })).map(({ answer }) => answer);
      assert.deepEqual([total, await answers(keys)], [3, ["2", "4", "3"]]);
      assert.deepEqual(await answers([...keys, "gone"].toReversed()), ["3", "4", "2"]);
      const other = await scenario.project({ accountId: project.accountId });
      assert.deepEqual(await store.readFeedback({ projectId: other.projectId, keys }), []);
    },
  ],
];
