import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../ports/store.ts";
import { createGraphService } from "./graph.ts";

const projectId = `prj_${"a".repeat(32)}`;
const callerOf = (accountId: string) => ({ accountId, via: "api_key" }) as const;

test("concurrent searches of an account are limited, and other accounts are not affected", async () => {
  const searching: (() => void)[] = [];
  let owner = "busy";
  const store = {
    findProject: () => Promise.resolve({ projectId, accountId: owner }),
    searchEntities: () => new Promise((resolve) => searching.push(() => resolve({ entities: [], total: 0 }))),
    readEntities: () => Promise.resolve([]),
  } as unknown as Store; // All methods that a search uses.
  const graph = createGraphService({ store, now: Date.now });
  const search = (accountId: string, text: string | null = "tern") => {
    owner = accountId;
    const result = graph.listEntities(callerOf(accountId), projectId, () => ({
      search: text,
      type: null,
      limit: 10,
      offset: 0,
    }));
    return result.then(
      () => "found",
      (error: Error) => error.message,
    );
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const first = [];
  for (let at = 0; at < 4; at++) first.push(search("busy"));
  await settle();
  assert.match(await search("busy"), /^At most 4 searches for entities of an account run at once/);
  const others = [search("quiet")];
  await settle();
  // A list without a search text does not count as a search.
  others.push(search("busy", null));
  await settle();
  assert.equal(searching.length, 6);
  for (const finish of searching.splice(0)) finish();
  assert.deepEqual(new Set(await Promise.all([...first, ...others])), new Set(["found"]));
  const again = search("busy");
  await settle();
  for (const finish of searching) finish();
  assert.equal(await again, "found");
});

test("a page of entities is read in steps of a few, one page of an account after another", async () => {
  const reading: { readonly ids: readonly string[]; readonly finish: () => void }[] = [];
  const ids = Array.from({ length: 40 }, (_, at) => String(at + 1));
  const store = {
    findProject: () => Promise.resolve({ projectId, accountId: "busy" }),
    searchEntities: async () => ({ entities: ids.map((entityId) => ({ entityId })), total: 40 }),
    readEntities: ({ entityIds }: { entityIds: readonly string[] }) =>
      new Promise((resolve) => {
        const finish = () => resolve(entityIds.map((entityId) => ({ entityId })));
        reading.push({ ids: entityIds, finish });
      }),
  } as unknown as Store; // All methods that a list uses.
  const graph = createGraphService({ store, now: Date.now });
  const search = () => ({ search: null, type: null, limit: 40, offset: 0 });
  const pages = [1, 2].map(() => graph.listEntities(callerOf("busy"), projectId, search));
  for (let step = 1; step <= 6; step++) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(reading.length, step);
    assert.ok((reading.at(-1)?.ids.length ?? 0) <= 16);
    reading.at(-1)?.finish();
  }
  for (const { entities } of await Promise.all(pages)) {
    assert.deepEqual(
      entities.map(({ entityId }) => entityId),
      ids,
    );
  }
});

test("lists and neighbourhoods of an account are read one after another, those of others beside them", async () => {
  let owner = "busy";
  const reading: (() => void)[] = [];
  const store = {
    findProject: () => Promise.resolve({ projectId, accountId: owner }),
    walkEdges: () => new Promise((resolve) => reading.push(() => resolve({ edges: [], next: null }))),
    readEntities: () => Promise.resolve([{ entityId: "7" }]),
    rankRelationships: () => Promise.resolve({ relationships: [], total: 0 }),
    readEntityEvidence: () => Promise.resolve([]),
    readChunks: () => Promise.resolve([]),
    findConfirmedEnds: () => Promise.resolve([]),
  } as unknown as Store; // All methods that these use.
  const graph = createGraphService({ store, now: Date.now });
  const search = () => ({ type: null, entityId: null, limit: 10, offset: 9_500 });
  const options = () => ({ limit: 1, withAssociations: false });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const lists: Promise<unknown>[] = [];
  for (const accountId of ["busy", "busy", "quiet"]) {
    owner = accountId;
    const caller = callerOf(accountId);
    lists.push(graph.listRelationships(caller, projectId, search));
    lists.push(graph.listProposals(caller, projectId, search));
    lists.push(graph.getEntity(caller, { projectId, entityId: "7" }, options));
    await settle();
  }
  assert.equal(reading.length, 2);
  // An entity's relationships are read for a time and for all times.
  for (let read = 0; read < lists.length + 3; read++) {
    reading[read]?.();
    await settle();
    assert.ok(reading.length <= read + 3, `${reading.length} begun after ${read + 1}`);
  }
  await Promise.all(lists);
});
