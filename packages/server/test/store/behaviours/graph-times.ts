/** What holds at a time, against a plain reading of all statements. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { END_OF_PERIOD, type Moment } from "../../../src/domain/validity.ts";
import { searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { type Behaviour, ingest, type Scenario } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";
import { entitiesOf } from "./graph-ledger.ts";

const page = { limit: 50, offset: 0 };
const requested = (date: string): Moment => ({ date, by: "request" });
const today = (date: string): Moment => ({ date, by: "today" });

async function projectWith(scenario: Scenario, documents: readonly string[]): Promise<string> {
  const made = await scenario.project();
  for (const [at, text] of documents.entries()) await ingest(scenario, made, [[`d${at}`, text]], { graphOf });
  return made.projectId;
}

/** "ada p bob", by every way to read relationships. */
async function listAt(
  scenario: Scenario,
  projectId: string,
  asOf: Moment | null,
): Promise<readonly string[]> {
  const { store } = scenario;
  const entities = await entitiesOf(scenario, projectId, people);
  const nameOf = new Map(entities.map(({ entityId, keys }) => [entityId, keys[0]]));
  const entityIds = [...nameOf.keys()];
  const search = { projectId, type: null, entityId: null, asOf, page };
  const lists = [
    (await searchRelationships(store, search)).relationships,
    (await store.listRelationshipsFrom({ projectId, sourceIds: entityIds, after: null, asOf, limit: 50 }))
      .relationships,
    await store.findRelationships({ projectId, entityIds, asOf, limit: 50 }),
  ].map((list) =>
    list
      .map(({ sourceId, type, targetId }) => `${nameOf.get(sourceId)} ${type} ${nameOf.get(targetId)}`)
      .sort(),
  );
  const [first = [], ...others] = lists;
  for (const other of others) assert.deepEqual(other, first);
  return first;
}

const people = ["ada", "bob", "cleo", "countess", "dan"];

interface Told {
  readonly source: string;
  readonly target: string;
  readonly from: string;
  readonly to: string;
  readonly known: string;
  readonly isFunctional: boolean;
}

/** All statements are walked for each of them. */
function holdsAmong(told: Told, all: readonly Told[], { date, by }: Moment): boolean {
  const end = `${date}${END_OF_PERIOD}`;
  const endOf = ({ to }: Told) => `${to}${END_OF_PERIOD}`;
  const knownOf = ({ from, to, known }: Told) => from || to || known;
  const same = all.filter(({ source, target }) => source === told.source && target === told.target);
  if (by === "request" && told.from > end) return false;
  if (told.to !== "" && endOf(told) < date) return false;
  if (told.to === "" && same.some((one) => one.to !== "" && endOf(one) < date && knownOf(told) <= endOf(one)))
    return false;
  const known = knownOf(told);
  const isAhead = (one: Told) => one.from > end && (known === "" || one.from <= `${known}${END_OF_PERIOD}`);
  if (by === "request" && told.from === "" && same.some(isAhead)) return false;
  if (!told.isFunctional || known === "" || (told.from === "" && told.to !== "")) return true;
  const turns = all.filter(
    (one) => one.source === told.source && knownOf(one) !== "" && (one.from !== "" || one.to === ""),
  );
  const before = turns.map(knownOf).filter((at) => at <= end);
  const after = turns.map(knownOf).filter((at) => at > end);
  const latest = before.length > 0 ? before.sort().at(-1) : after.sort()[0];
  if (by === "today" && known > (latest ?? "")) return true;
  return turns.some((one) => one.target === told.target && knownOf(one) === latest);
}

const time = fc.constantFrom("", "", "2001", "2002", "2002-05", "2002-05-07", "2003", "2004");
const told = fc.record({
  source: fc.constantFrom("ada", "bob"),
  target: fc.constantFrom("cleo", "dan", "bob", "ada"),
  ...{ from: time, to: time, known: time },
});
const drawn = fc.record({
  statements: fc.array(
    told.filter(({ source, target }) => source !== target),
    { minLength: 1, maxLength: 7 },
  ),
  isFunctional: fc.boolean(),
  moment: fc.record({
    date: fc.constantFrom("2000", "2001-06", "2002", "2002-05", "2002-05-06", "2003-01-01", "2005"),
    by: fc.constantFrom("request" as const, "today" as const),
  }),
});

export async function checkTimes(scenario: Scenario, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ statements, isFunctional, moment }) => {
      const all = statements.map((one) => ({ ...one, isFunctional }));
      const words = statements.map(({ source, target, from, to, known }) => {
        return `${source}>p[${from}..${to}${known === "" ? "" : `@${known}`}${isFunctional ? "!" : ""}]>${target}`;
      });
      const projectId = await projectWith(scenario, words);
      const expected = new Set(
        all
          .filter((one) => holdsAmong(one, all, moment))
          .map(({ source, target }) => `${source} p ${target}`),
      );
      assert.deepEqual(await listAt(scenario, projectId, moment), [...expected].sort());
      await scenario.clear();
    }),
    { numRuns, seed: 20_310_407, endOnFailure: true },
  );
}

export const timeBehaviours: readonly Behaviour[] = [
  [
    "a later statement of a functional edge type ends an earlier one, whichever was ingested first",
    async (scenario) => {
      const documents = ["ada>p[2001..!]>bob", "ada>p[..@2005-02!]>cleo", "ada>p[..@2003!]>bob"];
      for (const inOrder of [documents, documents.toReversed()]) {
        const projectId = await projectWith(scenario, inOrder);
        const at = (moment: Moment) => listAt(scenario, projectId, moment);
        assert.deepEqual(await at(requested("2000")), []);
        assert.deepEqual(await at(requested("2004")), ["ada p bob"]);
        assert.deepEqual(await at(requested("2005")), ["ada p cleo"]);
        assert.deepEqual(await at(today("2005-01-31")), ["ada p bob", "ada p cleo"]);
        assert.deepEqual(await at(today("2005-02-28")), ["ada p cleo"]);
        assert.deepEqual(await listAt(scenario, projectId, null), ["ada p bob", "ada p cleo"]);
      }
    },
  ],
  [
    "what a text says has ended ends what others tell of the same relationship before, under any name",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        "ada~countess;ada>p[..@2001]>bob",
        "countess>p[..2003]>bob",
        "ada>p[..@2003-06]>cleo",
        "bob>p[..2003-03]>dan",
        "bob>p[..@2003-06-01]>dan",
      ]);
      const at = (moment: Moment) => listAt(scenario, projectId, moment);
      assert.deepEqual(await at(requested("2003")), ["ada p bob", "ada p cleo", "bob p dan"]);
      // Told after the end, it holds again.
      const left = ["ada p cleo", "bob p dan"];
      assert.deepEqual(await at(requested("2004")), left);
      assert.deepEqual(await at(today("2004-01-01")), left);
    },
  ],
  [
    "of two names of one entity a later statement of one ends an earlier one of the other",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        "ada~countess",
        "ada>p[2001..!]>bob",
        "countess>p[2002..!]>dan",
        "ada>q[..@2001!]>bob",
        "ada>q[..!]>dan",
      ]);
      assert.deepEqual(await listAt(scenario, projectId, today("2009-01-01")), [
        "ada p dan",
        "ada q bob",
        "ada q dan",
      ]);
    },
  ],
];
