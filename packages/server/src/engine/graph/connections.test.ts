import assert from "node:assert/strict";
import { test } from "node:test";
import { type Connection, connectedEntities, findPath, MAX_PATH, takeBestConnected } from "./connections.ts";

function connect(...pairs: readonly (readonly [string, string, number?])[]): readonly Connection[] {
  return pairs.map(([source, target, chunks = 1]) => ({ source, target, chunks }));
}

const STAR = connect(["hub", "a"], ["b", "hub"], ["hub", "c"], ["c", "d"]);
const PAIR = connect(["x", "y"]);

test("the best connected part begins with the entity of most neighbours and hangs together", async () => {
  const { entities, connections } = await takeBestConnected([...PAIR, ...STAR], 3);
  assert.deepEqual(entities, [
    { entityId: "hub", degree: 3 },
    { entityId: "c", degree: 2 },
    { entityId: "a", degree: 1 },
  ]);
  assert.deepEqual(connections, connect(["hub", "a"], ["hub", "c"]));
});

test("smaller components follow when there is room", async () => {
  const { entities, connections, connected } = await takeBestConnected([...PAIR, ...STAR], 100);
  assert.deepEqual(
    entities.map(({ entityId }) => entityId),
    ["hub", "c", "a", "b", "d", "x", "y"],
  );
  assert.equal(connections.length, 5);
  assert.equal(connected, 7);
  assert.equal((await connectedEntities(STAR)).size, 5);
  assert.deepEqual(await takeBestConnected([], 100), { entities: [], connections: [], connected: 0 });
});

/** The turns of the event loop during `work`. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await work();
  clearImmediate(next);
  return turns;
}

test("the event loop turns while thousands are numbered, walked and taken", async () => {
  const ends = Array.from({ length: 5_000 }, (_, at) => [`${at}`, `${at + 1}`] as [string, string]);
  const chain = connect(...ends);
  const few = await turnsOf(() => takeBestConnected(chain, 1));
  const all = await turnsOf(() => takeBestConnected(chain, 5_000));
  assert.ok(few >= 14, `${few} to number, to walk and to choose the connections`);
  assert.ok(all >= few + 4, `${all} to take the entities, too`);
  assert.ok((await turnsOf(() => connectedEntities(chain))) >= 4);
  assert.ok((await turnsOf(() => findPath(chain, { from: "0", to: "5000" }))) >= 9);
});

test("a path is a shortest one, against directions too, over the best supported connections", async () => {
  const detour = connect(["a", "p"], ["p", "q"], ["q", "r"], ["r", "d"]);
  const path = await findPath([...detour, ...STAR, ...connect(["hub", "c", 3])], { from: "a", to: "d" });
  assert.deepEqual(path, connect(["hub", "a"], ["hub", "c", 3], ["c", "d"]));
});

test("a long chain costs no more than it has relationships, and what is further away than 64 of them has no path", async () => {
  const chain = (length: number) =>
    connect(...Array.from({ length }, (_, at) => [`e${at}`, `e${at + 1}`] as const));
  const longest = await findPath(chain(100), { from: "e0", to: `e${MAX_PATH}` });
  assert.deepEqual(longest, chain(MAX_PATH));
  assert.deepEqual(await findPath(chain(100), { from: `e${MAX_PATH + 1}`, to: "e0" }), []);
  const readsOf = async (length: number) => {
    let reads = 0;
    const counted = chain(length).map((connection) => ({
      ...connection,
      get source() {
        reads++;
        return connection.source;
      },
    }));
    await findPath(counted, { from: "e0", to: `e${length}` });
    return reads;
  };
  assert.ok((await readsOf(4_000)) < 6 * (await readsOf(1_000)));
});

test("there is no path between components, to what is not there, or from an entity to itself", async () => {
  const connections = [...PAIR, ...STAR];
  assert.deepEqual(await findPath(connections, { from: "a", to: "x" }), []);
  assert.deepEqual(await findPath(connections, { from: "a", to: "nobody" }), []);
  assert.deepEqual(await findPath(connections, { from: "a", to: "a" }), []);
});
