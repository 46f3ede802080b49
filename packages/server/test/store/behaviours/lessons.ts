import assert from "node:assert/strict";
import type { CorrectionChange } from "../../../src/domain/correction.ts";
import type { Project } from "../../../src/domain/project.ts";
import { searchProposals, searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { type Behaviour, follow, ingest, type Scenario } from "../scenario.ts";
import { correct } from "./correction-histories.ts";
import { graphOf } from "./graph-facts.ts";

const page = { limit: 100, offset: 0 };
const person = (name: string) => ({ type: "Person", name, also: [] });
const judges = ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10"];

/** A project with ten texts that state the same of others, and more texts. */
async function projectWith(
  scenario: Scenario,
  { stated, texts }: { readonly stated: string; readonly texts: Readonly<Record<string, string>> },
): Promise<Project> {
  const made = await scenario.project();
  const judged = judges.map((name) => [`judged ${name}`, `${name}${stated}R`] as const);
  await ingest(scenario, made, [...judged, ...Object.entries(texts)], { graphOf });
  return made;
}

function verdictOn(kind: "confirm" | "reject", name: string, type = "knows"): CorrectionChange {
  const ends = { source: person(name), type, target: person("R") };
  return { kind, ...ends, document: `judged ${name}`, sentence: null };
}

async function judgeAll(scenario: Scenario, project: Project, kind: "confirm" | "reject") {
  const ids: string[] = [];
  for (const name of judges) ids.push((await correct(scenario, project, verdictOn(kind, name))).correctionId);
  await follow(scenario.store, project.projectId);
  return ids;
}

/** Those of people whose names begin with E, for "elsewhere": "E1 knows r .82". */
async function elsewhere({ store }: Scenario, { projectId }: Project) {
  const search = { projectId, type: null, entityId: null, page };
  const { relationships } = await searchRelationships(store, search);
  const ids = relationships.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
  const read = await store.readEntities({ projectId, entityIds: [...new Set(ids)] });
  const keyOf = (id: string) => read.find(({ entityId }) => entityId === id)?.keys[0] ?? "";
  const { proposals } = await searchProposals(store, search);
  const own = (lines: readonly string[]) => lines.filter((line) => line.startsWith("e")).sort();
  return {
    asserted: own(relationships.map((one) => `${keyOf(one.sourceId)} ${one.type} ${keyOf(one.targetId)}`)),
    proposed: own(proposals.map((one) => `${one.source.name} ${one.type} ${one.target.name}`.toLowerCase())),
  };
}

const taught = async ({ store }: Scenario, { projectId }: Project) =>
  (
    await store.listCorrections({
      ...{ projectId, kind: null, withoutEvidence: false, newestFirst: false, page },
    })
  ).taught;

export const lessonBehaviours: readonly Behaviour[] = [
  [
    "ten confirmed proposals assert others of their type in like words, also in later texts, until they are undone",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, {
        stated: ">>knows%75>",
        texts: {
          like: "E1>>knows%75>R",
          "less sure": "E2>>knows%70>R",
          "other words": "E3>>knows%75-it-is-said-of>R",
          "another type": "E5>>likes%79>R E6>likes%82>R",
        },
      });
      const before = await elsewhere(scenario, made);
      assert.deepEqual(before.asserted, ["e6 likes r"]);
      const ids = await judgeAll(scenario, made, "confirm");
      const after = await elsewhere(scenario, made);
      assert.deepEqual(after.asserted, ["e1 knows r", "e6 likes r"]);
      assert.deepEqual(after.proposed, ["e2 knows r", "e3 knows r", "e5 likes r"]);
      await ingest(scenario, made, [["later", "E7>>knows%75>R"]], { graphOf });
      assert.deepEqual((await elsewhere(scenario, made)).asserted, [
        "e1 knows r",
        "e6 likes r",
        "e7 knows r",
      ]);
      assert.deepEqual(await taught(scenario, made), [
        { type: "knows", confirmed: 10, rejected: 0, asserted: 2, proposed: 0 },
      ]);
      const { projectId } = made;
      await store.deleteDocument({ projectId, sourceDocId: "later", now: 3_000, errorMessage: "deleted" });
      for (const correctionId of ids) await store.undoCorrection({ projectId, correctionId });
      await follow(store, projectId);
      assert.deepEqual(await elsewhere(scenario, made), before);
      assert.deepEqual(await taught(scenario, made), []);
    },
  ],
  [
    "ten rejected relationships leave others of their type only proposed, but not the surest and none that is confirmed",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, {
        stated: ">knows%82>",
        texts: {
          like: "E1>knows%82>R",
          sure: "E2>knows%90>R",
          confirmed: "E3>knows%82>R",
          "another type": "E4>likes%82>R;E5>knows%90>R",
        },
      });
      const { projectId } = made;
      const before = await elsewhere(scenario, made);
      const ends = { source: person("E3"), type: "knows", target: person("R") };
      await correct(scenario, made, { kind: "confirm", ...ends, document: null, sentence: null });
      await judgeAll(scenario, made, "reject");
      const after = await elsewhere(scenario, made);
      assert.deepEqual(after.asserted, ["e2 knows r", "e3 knows r", "e4 likes r", "e5 knows r"]);
      assert.deepEqual(after.proposed, ["e1 knows r"]);
      assert.deepEqual(await taught(scenario, made), [
        { type: "knows", confirmed: 1, rejected: 10, asserted: 0, proposed: 1 },
      ]);
      for (const name of judges)
        await store.deleteDocument({
          ...{ projectId, sourceDocId: `judged ${name}`, now: 3_000, errorMessage: "deleted" },
        });
      await follow(store, projectId);
      assert.deepEqual(await elsewhere(scenario, made), before, "nothing of a deleted document teaches");
    },
  ],
  [
    "what verdicts teach is followed in steps of bounded work",
    async (scenario) => {
      const { store } = scenario;
      const texts = Object.fromEntries(
        Array.from({ length: 4 }, (_, at) => [
          `long ${at}`,
          Array.from({ length: 200 }, (__, word) => `E${at}x${word}>knows%82>R`).join(" "),
        ]),
      );
      const made = await projectWith(scenario, { stated: ">knows%82>", texts });
      for (const name of judges) await correct(scenario, made, verdictOn("reject", name));
      let steps = 0;
      while (await store.applyVersionChanges({ projectId: made.projectId, now: 3_000 })) steps += 1;
      assert.ok(steps > 800 / 64, `${steps} steps`);
      assert.deepEqual((await taught(scenario, made))[0]?.proposed, 800);
    },
  ],
];
