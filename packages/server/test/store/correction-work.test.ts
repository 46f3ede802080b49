/** What corrections cost grows with their number and not faster, and names of a rule are gone through once for many chunks. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  createRenamer,
  createWithdrawer,
  lastOf,
} from "../../src/adapters/database/operations/addition-names.ts";
import { countConcerned, findConcerned } from "../../src/adapters/database/operations/concerned-chunks.ts";
import { createCorrector } from "../../src/adapters/database/operations/correct-facts.ts";
import { correctChunks, withCorrected } from "../../src/adapters/database/operations/correction-rules.ts";
import { readNamesOf, undoCorrection } from "../../src/adapters/database/operations/corrections.ts";
import type { FactsContext } from "../../src/adapters/database/operations/facts-work.ts";
import type { StoredFacts } from "../../src/adapters/database/operations/graph-facts.ts";
import { findUnseen } from "../../src/adapters/database/operations/unseen-names.ts";
import { type CorrectionChange, ruleOf } from "../../src/domain/correction.ts";
import { DEFAULT_CONFIDENCE_LIMITS, type EntityKey } from "../../src/domain/graph.ts";
import { counting, type Work } from "../support/count-work.ts";
import { assertLinear } from "../support/growth.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { keyOf, person, projectWithChain } from "./correction-chain.ts";
import { follow, ingest } from "./scenario.ts";

const MAX_RATIO = 6;
const anywhere = { document: null, sentence: null };
/** A chunk that mentions one entity. */
const mention = (key: string): StoredFacts => ({
  ...{ nodes: [["Person", key]], supported: 1, mentions: [[0, 0, 1, key, 900]] },
  ...{ properties: [], edges: [], joins: [] },
});
const context: FactsContext = {
  moves: 0,
  sourceDocId: "a",
  textOf: () => "",
  allows: () => true,
  allowsType: () => true,
  limits: DEFAULT_CONFIDENCE_LIMITS,
};

async function workOfChain(test: TestContext, size: number) {
  const { opened, projectId } = await projectWithChain(test, size);
  await follow(opened.store, projectId);
  const measure = async (look: (db: ReturnType<typeof counting>) => Promise<unknown>) => {
    const work: Work = { statements: 0, rows: 0 };
    const found = await look(counting(opened, work));
    return { found, rows: work.rows };
  };
  const chunk = { versionId: 1, position: 0, facts: mention("n0") };
  const last: EntityKey = { type: "Person", key: `n${size}` };
  return {
    chunk: await measure(async (db) => (await correctChunks(db, projectId, [chunk]))[0]?.facts.nodes),
    former: await measure(
      async (db) => (await readNamesOf(db, { projectId, names: [last] }))[0]?.former.length,
    ),
  };
}

test("a chain of corrections costs four times as much where it is four times as long", async (context) => {
  const [small, large] = [await workOfChain(context, 15), await workOfChain(context, 60)];
  assert.deepEqual(large.chunk.found, [["Person", "n60"]]);
  assert.equal(large.former.found, 60);
  for (const look of ["chunk", "former"] as const) {
    const ratio = large[look].rows / small[look].rows;
    assert.ok(ratio < MAX_RATIO, `${look}: ${small[look].rows}, then ${large[look].rows} rows`);
    assert.ok(large[look].rows >= 60, "else the count would not see what is read");
  }
});

test("a long chain of corrections is followed in a few statements", async (context) => {
  const { opened, projectId } = await projectWithChain(context, 200);
  await follow(opened.store, projectId);
  const work: Work = { statements: 0, rows: 0 };
  const chunk = { versionId: 1, position: 0, facts: mention("n0") };
  const [corrected] = await correctChunks(counting(opened, work), projectId, [chunk]);
  assert.deepEqual(corrected?.facts.nodes, [["Person", "n200"]]);
  assert.ok(work.statements < 20, `${work.statements} statements`);
});

test("what many corrections of many names cost grows with the names and not with their square", async (context) => {
  const rowsOf = async (names: number) => {
    const { opened, projectId } = await projectWithChain(context, 1);
    const also = (type: string) => Array.from({ length: names - 1 }, (_, at) => ({ type, name: `A${at}` }));
    const { accountId } = await opened.store
      .findProject({ projectId })
      .then((found) => found ?? assert.fail());
    for (let at = 0; at < 20; at++) {
      const [type, to] = at % 2 === 0 ? ["Person", "City"] : ["City", "Person"];
      const change: CorrectionChange = {
        ...{ kind: "retype", entity: { type, name: "N1", also: also(type) }, type: to },
      };
      await opened.store.addCorrections({
        ...{
          projectId,
          accountId,
          maxPerProject: 100,
          maxBytesPerProject: 1e9,
          maxNamesPerProject: 1e9,
          maxStoredBytes: null,
        },
        corrections: [
          {
            ...{
              correctionId: `r${at}`,
              projectId,
              change,
              reason: null,
              accountId,
              keyId: null,
              createdAt: 1,
            },
            rule: ruleOf(change, keyOf),
          },
        ],
      });
    }
    await follow(opened.store, projectId);
    const measure = async (look: (db: ReturnType<typeof counting>) => Promise<unknown>) => {
      const work: Work = { statements: 0, rows: 0 };
      await look(counting(opened, work));
      return work.rows;
    };
    return {
      former: await measure((db) => readNamesOf(db, { projectId, names: [{ type: "Person", key: "n1" }] })),
      found: await measure((db) => withCorrected(db, projectId, ["n1"])),
    };
  };
  const [small, large] = [await rowsOf(16), await rowsOf(64)];
  for (const look of ["former", "found"] as const)
    assert.ok(large[look] / small[look] < MAX_RATIO, `${look}: ${small[look]}, then ${large[look]} rows`);
});

test("many rules on one entity are applied in linear time", async () => {
  await assertLinear("rules", 250, (size) => {
    const rules = Array.from({ length: size }, (_, seq) => ({
      seq,
      rule: ruleOf({ kind: "rename", entity: person(`N${seq}`), name: `N${seq + 1}` }, keyOf),
    }));
    assert.equal(createCorrector(rules)(mention("n0"), context).facts.nodes[0]?.[1], `n${size}`);
  });
});

test("ends of additions are renamed in time that grows with the corrections of their own names", () => {
  const asked: number[] = [];
  const rules = Array.from({ length: 1_000 }, (_, seq) => {
    const rule = ruleOf({ kind: "rename", entity: person(`N${seq}`), name: `N${seq + 1}` }, keyOf);
    return {
      seq,
      rule: { ...rule, names: counted("names" in rule ? rule.names : [], () => asked.push(seq)) },
    };
  });
  const rename = createRenamer(rules as Parameters<typeof createRenamer>[0], () => true); // Their names are counted.
  const keyed = (key: string) => ({ type: "Person", key });
  for (let at = 0; at < 100; at++) rename([keyed("n990")], 0);
  assert.deepEqual(
    [...rename([keyed("n990")], 995).keys()],
    [{ seq: 995, name: keyed("n990"), earlier: [] }],
  );
  const trail = rename([keyed("n990")], 0);
  assert.deepEqual(lastOf(trail), [{ seq: 999, name: keyed("n1000"), earlier: [] }]);
  assert.equal(trail.size, 11);
  assert.equal(asked.length, 1_000, "each rule is gone through once");
});

test("the sentence of a fact is read once, however many verdicts there are on it", () => {
  let reads = 0;
  const facts: StoredFacts = {
    ...{
      nodes: [
        ["Person", "a"],
        ["Person", "b"],
      ],
      supported: 2,
      mentions: [],
      properties: [],
      joins: [],
    },
    edges: [[0, 1, "KNOWS", 0, 10, 900, "pattern", null, null]],
  };
  const rules = Array.from({ length: 500 }, (_, seq) => ({
    seq,
    rule: ruleOf(
      {
        ...{ kind: "reject", source: person("A"), type: "KNOWS", target: person("B") },
        ...{ document: null, sentence: `Sentence ${seq}` },
      },
      keyOf,
    ),
  }));
  const textOf = () => {
    reads += 1;
    return "Sentence 499";
  };
  const { applied } = createCorrector(rules)(facts, { ...context, textOf });
  assert.deepEqual(applied, [499]);
  assert.equal(reads, 1);
});

/** A list that tells when it is gone through. */
function counted<Item>(items: readonly Item[], onWalk: () => void): readonly Item[] {
  return new Proxy(items, {
    get(target, name, receiver) {
      if (name === "map" || name === "some" || name === Symbol.iterator) onWalk();
      return Reflect.get(target, name, receiver);
    },
  });
}

test("the names of a rule are gone through once, however many chunks follow it", () => {
  let walks = 0;
  const names = counted([{ type: "Person", key: "n0" }], () => {
    walks += 1;
  });
  const rule = { ...ruleOf({ kind: "rename", entity: person("N0"), name: "N1" }, keyOf), names };
  const correct = createCorrector([{ seq: 1, rule } as Parameters<typeof createCorrector>[0][number]]);
  for (let chunk = 0; chunk < 50; chunk++) correct(mention("n0"), context);
  assert.equal(walks, 1);
});

test("names that are given twice are one name of a rule", () => {
  const also = [person("a"), person("A"), { type: "City", name: "A" }];
  const rule = ruleOf({ kind: "rename", entity: { ...person("A"), also }, name: "B" }, keyOf);
  assert.deepEqual("names" in rule && rule.names, [
    { type: "Person", key: "a" },
    { type: "City", key: "a" },
  ]);
});

test("ends of additions are followed through renames and rejections in near linear time", async () => {
  await assertLinear("ends", 400, (size) => {
    const rules = Array.from({ length: 2 * size }, (_, seq) => {
      const [from, to] = seq % 4 === 0 ? ["a", "b"] : ["b", "a"];
      const change: CorrectionChange =
        seq % 2 === 0
          ? { kind: "rename", entity: person(from), name: to }
          : { ...{ kind: "reject", source: person(from), type: "t", target: person("z") }, ...anywhere };
      return { seq, rule: ruleOf(change, keyOf) };
    });
    const [rename, withdraw] = [createRenamer(rules, () => true), createWithdrawer(rules)];
    const addition = ruleOf(
      { kind: "add_relationship", source: person("a"), type: "t", target: person("z") },
      keyOf,
    );
    assert.ok(addition.kind === "add_relationship");
    const sources = rename(addition.sources, -1);
    assert.equal(sources.size, size + 1);
    withdraw(addition, { sources, targets: rename(addition.targets, -1) });
  });
});

test("ends with many names in one chain of renames are followed in linear time", async () => {
  await assertLinear("names", 250, (size) => {
    const name = (at: number) => person(`N${at % size}`);
    const rules = Array.from({ length: 4 * size }, (_, seq) => ({
      seq,
      rule: ruleOf({ kind: "rename", entity: name(seq), name: name(seq + 1).name }, keyOf),
    }));
    const [rename, withdraw] = [createRenamer(rules, () => true), createWithdrawer(rules)];
    const names = Array.from({ length: size }, (_, at) => name(at));
    const change = { ...person("N0"), also: names.slice(1) };
    const addition = ruleOf({ kind: "add_property", entity: change, property: "v", value: "1" }, keyOf);
    assert.ok(addition.kind === "add_property");
    const sources = rename(addition.names, -1);
    assert.equal(lastOf(sources).length, 1);
    withdraw(addition, { sources, targets: rename([], -1) });
  });
});

test("of the names that many merges give away no more are read than an entity has", async (context) => {
  const { opened, projectId } = await projectWithChain(context, 1);
  const { accountId } = (await opened.store.findProject({ projectId })) ?? assert.fail();
  for (let at = 0; at < 100; at++) {
    const also = Array.from({ length: 30 }, (_, name) => ({ type: "Person", name: `M${at} ${name}` }));
    const change: CorrectionChange = {
      ...{ kind: "merge", entity: { ...person(`M${at}`), also }, into: { type: "Person", name: "N1" } },
    };
    const correction = {
      ...{ correctionId: `m${at}`, projectId, change, reason: null },
      ...{ accountId, keyId: null },
    };
    await opened.store.addCorrections({
      ...{
        projectId,
        accountId,
        maxPerProject: 200,
        maxBytesPerProject: 1e9,
        maxNamesPerProject: 1e9,
        maxStoredBytes: null,
      },
      corrections: [{ ...correction, createdAt: 1, rule: ruleOf(change, keyOf) }],
    });
  }
  await follow(opened.store, projectId);
  const names = [{ type: "Person", key: "n1" }];
  const [found] = await opened.store.readNamesOf({ projectId, names });
  assert.ok((found?.former.length ?? 0) > 0 && (found?.former.length ?? 0) <= 65, `${found?.former.length}`);
});

test("a rejection of what no text states is looked for in the texts of neither end", async (context) => {
  const { opened, projectId } = await projectWithChain(context, 1, 200);
  await follow(opened.store, projectId);
  const work: Work = { statements: 0, rows: 0 };
  const rule = ruleOf(
    { kind: "reject", source: person("N1"), type: "t", target: person("Nobody"), ...anywhere },
    keyOf,
  );
  const db = counting(opened, work);
  const concerned = await findConcerned(db, { projectId, rule, maxPairs: 1 });
  assert.ok(concerned !== null);
  assert.equal(await countConcerned(db, { projectId, rule, concerned, limit: 1_000 }), 0);
  assert.ok(work.statements <= 3, `${work.statements} statements`);
});

test("a list of corrections does not count each in the chunks of all", async (context) => {
  const cpuMsOf = async (size: number) => {
    const { opened, projectId, scenario, project } = await projectWithChain(context, size);
    const later = Array.from({ length: 25 }, (_, at): [string, string] => [`later${at}`, "N0"]);
    await ingest(scenario, project, later, { graphOf });
    await follow(opened.store, projectId);
    const page = { limit: 1_000, offset: 0 };
    const list = async () => {
      const before = process.cpuUsage();
      const { corrections } = await opened.store.listCorrections({
        ...{ projectId, kind: null, withoutEvidence: false, newestFirst: true, page },
      });
      assert.deepEqual([corrections.length, corrections[0]?.laterChunks], [size, 25]);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 8; run++) least = Math.min(least, await list());
    return least / 1_000;
  };
  const [small, large] = [await cpuMsOf(40), await cpuMsOf(160)];
  assert.ok(large / small < MAX_RATIO, `${small} ms, then ${large} ms`);
});

test("whether a chain of corrections is to be seen in the graph costs four times as much where it is four times as long", async (context) => {
  const workOf = async (size: number) => {
    const { opened, projectId, scenario, project } = await projectWithChain(context, size);
    await ingest(scenario, project, [["d0", "Ann;Ann>>t>N0"]], { graphOf });
    await follow(opened.store, projectId);
    const work: Work = { statements: 0, rows: 0 };
    assert.equal((await findUnseen(counting(opened, work), projectId)).size, size);
    await ingest(scenario, project, [["last", `N${size}`]], { graphOf });
    await follow(opened.store, projectId);
    assert.equal((await findUnseen(counting(opened, work), projectId)).size, 0);
    return work;
  };
  const [small, large] = [await workOf(40), await workOf(160)];
  assert.ok(large.rows / small.rows < MAX_RATIO, `${small.rows}, then ${large.rows} rows`);
  assert.ok(large.rows >= 160, "else the count would not see what is read");
  assert.ok(large.statements < 20, `${large.statements} statements`);
});

test("undoing a correction costs the same however many chunks it changes", async (context) => {
  const rowsOf = async (documents: number) => {
    const { opened, projectId } = await projectWithChain(context, 1, documents);
    await follow(opened.store, projectId);
    const work: Work = { statements: 0, rows: 0 };
    assert.ok(await undoCorrection(counting(opened, work), { projectId, correctionId: "c0" }));
    await follow(opened.store, projectId);
    const [found] = await opened.store.readNamesOf({
      ...{ projectId, names: [{ type: "Person", key: "n0" }] },
    });
    assert.deepEqual(found?.names, [{ type: "Person", key: "n0" }]);
    return work.rows;
  };
  assert.equal(await rowsOf(80), await rowsOf(20));
});
