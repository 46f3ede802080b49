/** Names that would be too many for one entity, or have too many other forms. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Project } from "../../../src/domain/project.ts";
import { type Behaviour, ingest, type Scenario, wordsOf } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";

/** As in `graph-resolve.ts` and `graph-joins.ts`. */
const maxNames = 64;
const maxJoins = 32;

/** Facts of one chunk: names from `from` to `to`, each of which the text calls the same as the next. */
export function chain(letter: string, from: number, to: number): string {
  return Array.from({ length: to - from }, (_, at) => `${letter}${from + at}~${letter}${from + at + 1}`).join(
    ";",
  );
}

/** Facts of one chunk: names of which each can be a longer form of another one. */
export function forms(letter: string, [from, to]: readonly [number, number], other: string): string {
  return Array.from(
    { length: to - from },
    (_, at) => `${letter}${from + at};${letter}${from + at}?${other}`,
  ).join(";");
}

type Said = Readonly<Record<string, string>>;

/** Says these texts in the project, in place of what the documents said before. */
async function say(scenario: Scenario, project: Project, said: Said): Promise<void> {
  for (const [document, text] of Object.entries(said)) {
    if (text !== "") await ingest(scenario, project, [[document, text]], { graphOf });
    else {
      const { projectId } = project;
      const deletion = { projectId, sourceDocId: document, now: 3_000, errorMessage: "deleted" };
      await scenario.store.deleteDocument(deletion);
      while (await scenario.store.applyVersionChanges({ projectId, now: 3_000 }));
    }
  }
}

const passages = Array.from({ length: 480 }, (_, at) => ({
  versionId: 1 + Math.floor(at / 8),
  position: at % 8,
}));

/** The names of each entity, and the list of entities. */
async function groupsOf({ store }: Scenario, { projectId }: Project): Promise<readonly string[]> {
  const found = await store.findEntitiesIn({ projectId, passages, limit: 100_000 });
  const groups = [...Map.groupBy(found, ({ entityId }) => entityId).values()].map((names) =>
    [...new Set(names.map(({ type, key }) => `${type}:${key}`))].sort().join("="),
  );
  const { total } = await store.listEntities({ projectId, page: { limit: 1, offset: 0 } });
  assert.equal(total, groups.length);
  const { entities } = await store.readGraphTypes({ projectId });
  assert.equal(
    entities.reduce((sum, { count }) => sum + count, 0),
    total,
  );
  return groups.sort();
}

/** Numbers of names of the entities, the largest first. */
async function sizesOf(scenario: Scenario, project: Project): Promise<readonly number[]> {
  const groups = await groupsOf(scenario, project);
  return groups.map((names) => names.split("=").length).sort((a, b) => b - a);
}

const alone = (count: number) => Array.from({ length: count }, () => 1);

/** Blocks of facts that together are more than one limit. */
const block = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 20, 40, 60).map((from) => chain("A", from, from + 20)) },
    { weight: 2, arbitrary: fc.constantFrom(0, 20, 40).map((from) => chain("B", from, from + 20)) },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom("A0", "A33", "A60", "B9"), fc.constantFrom("B0", "B50", "F3", "H")),
    },
    { weight: 3, arbitrary: fc.constantFrom(0, 3, 6, 14).map((from) => forms("F", [from, from + 14], "H")) },
    { weight: 2, arbitrary: fc.constantFrom("H", "I", "J", "K", "L", "Thing:A33;Thing:F3", "City:A33") },
    { weight: 2, arbitrary: fc.constant("F3;F3?I;F3?J;F3?K;F3?L") },
    { weight: 1, arbitrary: fc.constant("Thing:A33~Thing:F3") },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(0, 7)
        .map((from) => Array.from({ length: 12 }, (_, at) => `A33~G${from + at}`).join(";")),
    },
  )
  .map((made) => (typeof made === "string" ? made : made.join("~")));

const step = fc.record({
  document: fc.constantFrom("s", "t", "u", "v", "w", "x"),
  text: fc.array(block, { maxLength: 4 }).map((blocks) => blocks.join(" ")),
});

/** Random histories across the limits in one project against one ingest of what remains in another. */
export async function checkLimits(scenario: Scenario, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16, size: "max" }), async (steps) => {
      const [grown, fresh] = [await scenario.project(), await scenario.project()];
      const said: Record<string, string> = {};
      for (const { document, text } of steps) {
        await say(scenario, grown, { [document]: text });
        said[document] = text;
      }
      const left = Object.entries(said).filter(([, text]) => wordsOf(text).length > 0);
      await say(scenario, fresh, Object.fromEntries(left));
      assert.deepEqual(await groupsOf(scenario, grown), await groupsOf(scenario, fresh));
      await scenario.clear();
    }),
    { numRuns, seed: 20_310_407, endOnFailure: true },
  );
}

export const limitBehaviours: readonly Behaviour[] = [
  [
    "names that a chain of texts calls the same are an entity up to a number, above which each is its own",
    async (scenario) => {
      const made = await scenario.project();
      await say(scenario, made, { a: chain("N", 1, maxNames) });
      assert.deepEqual(await sizesOf(scenario, made), [maxNames]);
      await say(scenario, made, { b: "N64~N65" });
      assert.deepEqual(await sizesOf(scenario, made), alone(maxNames + 1));
      await say(scenario, made, { b: "" });
      assert.deepEqual(await sizesOf(scenario, made), [maxNames]);
      // Two entities that become one that is too large, and then two others.
      await say(scenario, made, { a: chain("N", 1, 40), b: chain("N", 41, 80) });
      assert.deepEqual(await sizesOf(scenario, made), [40, 40]);
      await say(scenario, made, { c: "N1~N80" });
      assert.deepEqual(await sizesOf(scenario, made), alone(80));
      await say(scenario, made, { b: `${chain("N", 41, 60)} ${chain("N", 61, 80)}` });
      assert.deepEqual(await sizesOf(scenario, made), [60, 20]);
    },
  ],
  [
    "a name that a text gives too many others leaves those to each other, also where they were too many",
    async (scenario) => {
      const made = await scenario.project();
      const hub = (count: number) => Array.from({ length: count }, (_, at) => `HUB~N${10 * at}`).join(";");
      await say(scenario, made, { a: [0, 10, 20, 30].map((at) => chain("N", at, at + 9)).join(" ") });
      await say(scenario, made, { b: `${hub(4)} ${chain("HUB", 0, 30)} HUB~HUB0` });
      assert.deepEqual(await sizesOf(scenario, made), alone(72));
      await say(scenario, made, { c: Array.from({ length: 40 }, (_, at) => `HUB~M${at}`).join(";") });
      assert.deepEqual(await sizesOf(scenario, made), [31, 10, 10, 10, 10, ...alone(41)]);
      await say(scenario, made, { c: "" });
      assert.deepEqual(await sizesOf(scenario, made), alone(72));
    },
  ],
  [
    "a name with very many longer forms is no form of any, and leaves them to their other forms",
    async (scenario) => {
      const made = await scenario.project();
      const others = "P0;P0?A;P0?B;P0?C;P0?D A B C D HUB";
      await say(scenario, made, { a: others, b: "P0;P0?HUB" });
      assert.deepEqual(await sizesOf(scenario, made), alone(6));
      await say(scenario, made, { c: forms("P", [1, maxJoins], "HUB") });
      assert.deepEqual(await sizesOf(scenario, made), alone(maxJoins + 5));
      await say(scenario, made, { d: forms("P", [maxJoins, maxJoins + 1], "HUB") });
      assert.deepEqual(await sizesOf(scenario, made), [5, ...alone(maxJoins + 1)]);
      await say(scenario, made, { d: "" });
      assert.deepEqual(await sizesOf(scenario, made), alone(maxJoins + 5));
      await say(scenario, made, { a: others.replace(" HUB", "") });
      assert.deepEqual(await sizesOf(scenario, made), [5, ...alone(maxJoins - 1)]);
    },
  ],
  [
    "a name that gets too many other forms leaves one of them to that one's names, with which they were too many",
    async (scenario) => {
      const made = await scenario.project();
      await say(scenario, made, { a: `${chain("A", 0, 30)};A0~A ${chain("P", 0, 40)};P0~P A B C D` });
      assert.deepEqual(await sizesOf(scenario, made), [42, 32, 1, 1, 1]);
      await say(scenario, made, { b: "P;P?A;P?B;P?C;P?D;P?HUB" });
      assert.deepEqual(await sizesOf(scenario, made), alone(77));
      await say(scenario, made, { c: "HUB" });
      assert.deepEqual(await sizesOf(scenario, made), [42, 32, ...alone(4)]);
      await say(scenario, made, { c: "" });
      assert.deepEqual(await sizesOf(scenario, made), alone(77));
    },
  ],
  [
    "a name that could be several is none of them, however far from it something changes",
    async (scenario) => {
      const made = await scenario.project();
      await say(scenario, made, { a: `${forms("Y", [0, 6], "W")} W`, b: "Y0~M" });
      await say(scenario, made, { c: "M~N" });
      assert.deepEqual(await sizesOf(scenario, made), [3, ...alone(6)]);
    },
  ],
  [
    "names without a type do not make an entity too large, nor of two types",
    async (scenario) => {
      const made = await scenario.project();
      await say(scenario, made, {
        a: chain("N", 1, 40),
        b: chain("Thing:M", 1, 40).replaceAll("~M", "~Thing:M"),
      });
      assert.deepEqual(await sizesOf(scenario, made), [40, 40]);
      await say(scenario, made, { c: "Thing:N1~Thing:M1" });
      assert.deepEqual(await sizesOf(scenario, made), [41, 40]);
      await say(scenario, made, { b: "Thing:M1" });
      assert.deepEqual(await sizesOf(scenario, made), [42]);
    },
  ],
];
