/** What holds at a time, against a plain reading of all statements. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { END_OF_PERIOD, type Moment } from "../../../src/domain/validity.ts";
import { searchNeighbours, searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { listEntitiesAt } from "../../../src/services/graph/overview.ts";
import { relationshipsFrom } from "../../../src/services/graph/relationships.ts";
import { type Behaviour, follow, ingest, type Scenario } from "../scenario.ts";
import { correct } from "./correction-histories.ts";
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
    (await Array.fromAsync(relationshipsFrom(store, { projectId, entityIds, asOf }))).flat(),
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

const endOf = (time: string) => `${time}${END_OF_PERIOD}`;
const lastOf = (times: readonly string[]) =>
  times.reduce((a, b) => (a === "" || endOf(b) > endOf(a) ? b : a), "");
/** The last time for which it is known. */
const knownOf = ({ from, to, known }: Told) => to || lastOf([from, known].filter((time) => time !== ""));
/** "2015-03" is neither before nor after "2015". */
const isBefore = (a: string, b: string) => a === "" || endOf(a) < b;

/** All statements are walked for each of them. */
function holdsAmong(told: Told, all: readonly Told[], { date, until = date, by }: Moment): boolean {
  const { from, to } = told;
  const isRequest = by === "request";
  if (to !== "" && endOf(to) < date) return false;
  if (isRequest && from > endOf(until)) return false;
  const known = knownOf(told);
  const same = all.filter(({ source, target }) => source === told.source && target === told.target);
  if (to === "" && same.some((one) => one.to !== "" && endOf(one.to) < date && isBefore(known, one.to)))
    return false;
  const isAhead = (one: Told) => one.from > endOf(until) && (known === "" || one.from <= endOf(known));
  if (isRequest && from === "" && same.some(isAhead)) return false;
  const turnOf = (one: Told) => (one.from === "" && one.to !== "" ? "" : one.from || one.known);
  const turn = turnOf(told);
  if (!told.isFunctional || turn === "" || to !== "") return true;
  const turns = all
    .filter(({ source }) => source === told.source)
    .map(turnOf)
    .filter((one) => one !== "");
  const supported = lastOf(same.filter((one) => turnOf(one) !== "").map(knownOf));
  if (turns.some((one) => endOf(one) < date && isBefore(supported, one) && isBefore(known, one)))
    return false;
  const first = turns.sort()[0] ?? "";
  return !(isRequest && from === "" && turn > endOf(until) && isBefore(first, turn));
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
  moment: fc.oneof(
    fc.record({
      date: fc.constantFrom("2000", "2001-06", "2002", "2002-05", "2002-05-06", "2003-01-01", "2005"),
      by: fc.constantFrom("request" as const, "today" as const),
    }),
    fc.record({
      date: fc.constantFrom("2000", "2001-06", "2002", "2002-05-06"),
      until: fc.constantFrom("2002-05-07", "2003", "2004-01-01"),
      by: fc.constant("request" as const),
    }),
  ),
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
      const keys = all.map((_, at) => ({ versionId: at + 1, position: 0 }));
      const stated = await scenario.store.readTimedStatements({ projectId, keys, asOf: moment });
      assert.deepEqual(
        stated.map(({ versionId, holds }) => [versionId, holds]).sort(),
        all.map((one, at) => [at + 1, holdsAmong(one, all, moment)]).sort(),
      );
      await scenario.clear();
    }),
    { numRuns, seed: 20_310_407, endOnFailure: true },
  );
}

/** What holds at each of the moments, whichever was ingested first. */
async function checkOrders(
  scenario: Scenario,
  documents: readonly string[],
  expected: readonly (readonly [Moment, readonly string[]])[],
): Promise<void> {
  for (const inOrder of [documents, documents.toReversed()]) {
    const projectId = await projectWith(scenario, inOrder);
    for (const [moment, held] of expected)
      assert.deepEqual(await listAt(scenario, projectId, moment), held, `${moment.date} of ${documents}`);
  }
}

export const timeBehaviours: readonly Behaviour[] = [
  [
    "a later statement of a functional edge type ends an earlier one, whichever was ingested first",
    async (scenario) => {
      const documents = ["ada>p[2001..!]>bob", "ada>p[..@2005-02!]>cleo", "ada>p[..@2003!]>bob"];
      await checkOrders(scenario, documents, [
        [requested("2000"), []],
        [requested("2004"), ["ada p bob"]],
        [requested("2005"), ["ada p bob", "ada p cleo"]],
        [requested("2005-03"), ["ada p cleo"]],
        [requested("2006"), ["ada p cleo"]],
        [today("2005-02-28"), ["ada p bob", "ada p cleo"]],
        [today("2005-03-01"), ["ada p cleo"]],
      ]);
    },
  ],
  [
    "times that overlap are in no order, so that both hold",
    async (scenario) => {
      await checkOrders(
        scenario,
        ["ada>p[..@2015-03-01!]>bob", "ada>p[2015..@2021!]>cleo"],
        [
          [requested("2014"), ["ada p bob"]],
          [requested("2016"), ["ada p bob", "ada p cleo"]],
          [today("2026-11-28"), ["ada p bob", "ada p cleo"]],
        ],
      );
      await checkOrders(
        scenario,
        ["ada>p[..2015!]>bob", "ada>p[2015..!]>cleo", "ada>p[..@2015-02-10!]>bob"],
        [
          [requested("2014"), ["ada p bob"]],
          [today("2026-11-28"), ["ada p bob", "ada p cleo"]],
        ],
      );
    },
  ],
  [
    "what a later document still states has not ended by then",
    async (scenario) => {
      await checkOrders(
        scenario,
        ["ada>p[..@2020-01-01!]>bob", "ada>p[2015..@2021-05-05!]>cleo"],
        [[today("2026-11-28"), ["ada p bob", "ada p cleo"]]],
      );
      await checkOrders(
        scenario,
        ["ada>p[1990..@2010!]>bob", "ada>p[2000..2001!]>cleo"],
        [
          [requested("2000"), ["ada p bob", "ada p cleo"]],
          [requested("2010"), ["ada p bob"]],
          [today("2026-11-28"), ["ada p bob"]],
        ],
      );
    },
  ],
  [
    "no other statement ends what has an end of its own",
    async (scenario) => {
      await checkOrders(
        scenario,
        ["ada>p[1990..2015-03!]>bob", "ada>p[2015-04..!]>cleo", "ada>p[2000..2001!]>dan"],
        [
          [requested("2015"), ["ada p bob", "ada p cleo"]],
          [requested("2010"), ["ada p bob"]],
          [requested("2015-04"), ["ada p cleo"]],
        ],
      );
    },
  ],
  [
    "what begins again in the year of its end holds",
    async (scenario) => {
      await checkOrders(
        scenario,
        ["ada>p[..1995]>bob", "ada>p[1995-06..]>bob"],
        [[today("2026-11-28"), ["ada p bob"]]],
      );
    },
  ],
  [
    "several sentences of a chunk tell of one time, which does not end where one of them is of later",
    async (scenario) => {
      const periods = ["ada>p[1990..1995]>bob", "ada>p[2010..]>bob"];
      for (const chunk of [periods.join(";"), periods.toReversed().join(";")])
        await checkOrders(
          scenario,
          [chunk],
          [
            [requested("1989"), []],
            [requested("1992"), ["ada p bob"]],
            [today("2026-11-28"), ["ada p bob"]],
          ],
        );
      await checkOrders(
        scenario,
        ["ada>p[1990..]>bob;ada>p[..1995]>bob"],
        [
          [requested("1989"), []],
          [requested("1995"), ["ada p bob"]],
          [today("2026-11-28"), []],
        ],
      );
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
    "sentences that hold are found behind many that are as sure and do not",
    async (scenario) => {
      const before = Array.from({ length: 14 }, () => "ada>p[..@2001]>bob");
      const projectId = await projectWith(scenario, [...before, "ada>p[..2003]>bob", "ada>p[..@2005]>bob"]);
      const search = { projectId, type: null, entityId: null, asOf: today("2026-11-28"), page };
      const { relationships } = await searchRelationships(scenario.store, search);
      assert.deepEqual(
        relationships.map(({ chunks, evidence }) => [chunks, evidence.map(({ validTo }) => validTo)]),
        [[1, [null]]],
      );
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
  [
    "of an entity of more relationships than a list has the history is those that do not hold, by any name",
    async (scenario) => {
      const held = Array.from({ length: 600 }, (_, at) => `ada>p>x${at}`);
      const projectId = await projectWith(scenario, [
        [...held, "ada>p[..2001]>zoe", "ada>p[..2001]>zac"].join(";"),
        "ada~countess;countess>p[2005..]>zac",
      ]);
      const { store } = scenario;
      const [ada] = await entitiesOf(scenario, projectId, ["ada"]);
      const search = { projectId, entityId: ada?.entityId ?? "", asOf: today("2026-11-28"), limit: 500 };
      const { relationships, history } = await searchNeighbours(store, search);
      assert.equal(relationships.length, 500);
      const targets = history.map(({ targetId }) => targetId);
      const read = await store.readEntities({ projectId, entityIds: targets });
      assert.deepEqual(
        read.map(({ keys }) => keys[0]),
        ["zoe"],
      );
      await scenario.clear();
      for (let steps = 0; await store.reclaim({ now: 0, maxPages: 0 }); steps++) assert.ok(steps < 50);
    },
  ],
  [
    "what a person has confirmed is not ended by what others tell",
    async (scenario) => {
      const made = await scenario.project();
      const documents = ["ada>p[2001..!]>bob", "ada>p[2002..!]>cleo", "ada>p[..2003]>bob", "ada;bob"];
      for (const [at, text] of documents.entries())
        await ingest(scenario, made, [[`d${at}`, text]], { graphOf });
      const { projectId } = made;
      assert.deepEqual(await listAt(scenario, projectId, today("2026-11-28")), ["ada p cleo"]);
      const person = (name: string) => ({ type: "Person", name, also: [] });
      await correct(scenario, made, {
        ...{ kind: "confirm", source: person("ada"), type: "p", target: person("bob") },
        ...{ document: null, sentence: null },
      });
      await follow(scenario.store, projectId);
      assert.deepEqual(await listAt(scenario, projectId, today("2026-11-28")), ["ada p bob", "ada p cleo"]);
    },
  ],
  [
    "an entity is left out of a time at which none of its relationships holds, and not if it has none",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        "ada>p[2001..2003]>bob;ada>p[2005..]>cleo;eve",
        "bob>q[..2002]>cleo;Ship:Dora>q[..1990]>Ship:Ann",
        "cleo~countess;dan>q>countess",
      ]);
      const listAll = async (date: string, { part = "", type = null as string | null } = {}) => {
        const search = { projectId, part, type, asOf: requested(date) };
        const ids = await listEntitiesAt(scenario.store, search);
        const read = await scenario.store.readEntities({ projectId, entityIds: ids });
        return ids.map((id) => read.find(({ entityId }) => entityId === id)?.keys[0]);
      };
      assert.deepEqual(await listAll("1980"), ["ann", "bob", "cleo", "dan", "dora", "eve"]);
      assert.deepEqual(await listAll("2003"), ["ada", "bob", "cleo", "dan", "eve"]);
      assert.deepEqual(await listAll("2004"), ["cleo", "dan", "eve"]);
      assert.deepEqual(await listAll("2006"), ["ada", "cleo", "dan", "eve"]);
      assert.deepEqual(await listAll("2004", { type: "Ship" }), []);
      assert.deepEqual(await listAll("1980", { type: "Ship" }), ["ann", "dora"]);
      assert.deepEqual(await listAll("1980", { part: "an" }), ["ann", "dan"]);
      assert.deepEqual(await listAll("2004", { part: "an" }), ["dan"]);
    },
  ],
];
