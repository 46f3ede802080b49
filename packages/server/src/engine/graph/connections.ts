/**
 * What can be told from the relationships of a graph alone, without their texts: its best connected part, and paths.
 * Entities are numbered and their neighbours are in typed arrays: a graph of 20,000 relationships takes a few milliseconds.
 */
import { createPace, type Pace, visitAtPace } from "../text/pace.ts";

/** Entities or connections in a turn of the event loop, which takes some milliseconds. */
const ITEMS_PER_TURN = 1_000;

/** A relationship, as far as it connects two entities. */
export interface Connection {
  readonly source: string;
  readonly target: string;
  /** Number of chunks that state it. */
  readonly chunks: number;
}

export interface ConnectedPart<Of extends Connection> {
  /** In the order in which they were taken, each with the number of its relationships in the whole graph. */
  readonly entities: readonly { readonly entityId: string; readonly degree: number }[];
  /** Those between these entities, in the order given. */
  readonly connections: readonly Of[];
  /** The number of entities of the whole graph that have a relationship. */
  readonly connected: number;
}

/**
 * The best connected entities, at most `limit`: of the largest component the entity with the most relationships, then always the
 * neighbour of those taken that has the most itself, so that what is taken hangs together; then the next component.
 */
export async function takeBestConnected<Of extends Connection>(
  connections: readonly Of[],
  limit: number,
): Promise<ConnectedPart<Of>> {
  const pace = createPace(ITEMS_PER_TURN);
  const network = await networkOf(connections, pace);
  const taken = new Set<number>();
  for (const component of await componentsOf(network, pace)) {
    if (taken.size >= limit) break;
    await takeFrom(component, { network, taken, limit, pace });
  }
  const has = (entityId: string) => taken.has(network.numbers.get(entityId) ?? -1);
  const between: Of[] = [];
  await visitAtPace(connections, pace, (connection) => {
    if (has(connection.source) && has(connection.target)) between.push(connection);
  });
  return {
    entities: [...taken].map((entity) => ({
      entityId: network.names[entity] ?? "",
      degree: degreeOf(network, entity),
    })),
    connections: between,
    connected: network.names.length,
  };
}

/** The entities that have a relationship. */
export async function connectedEntities(connections: readonly Connection[]): Promise<ReadonlySet<string>> {
  const entities = new Set<string>();
  await visitAtPace(connections, createPace(ITEMS_PER_TURN), ({ source, target }) => {
    entities.add(source).add(target);
  });
  return entities;
}

/** A longer path says nothing of its ends. */
export const MAX_PATH = 64;

/**
 * A shortest path, whatever the directions of its relationships; of several between two entities the best supported. Empty where
 * there is none of at most `MAX_PATH` relationships, or where the two are the same. Linear in the number of connections.
 */
export async function findPath<Of extends Connection>(
  connections: readonly Of[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly Of[]> {
  const pace = createPace(ITEMS_PER_TURN);
  const network = await networkOf(connections, pace);
  const [start, end] = [network.numbers.get(from), network.numbers.get(to)];
  if (start === undefined || end === undefined) return [];
  const cameFrom = new Map<number, number | null>([[start, null]]);
  const reached = [start];
  // The list grows while it is walked.
  for (const entity of reached) {
    if (entity === end) break;
    await pace(1 + degreeOf(network, entity));
    for (const next of neighboursOf(network, entity)) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, entity);
      reached.push(next);
    }
  }
  const steps: (readonly [number, number])[] = [];
  let at = end;
  for (let before = cameFrom.get(at); before !== null && before !== undefined; before = cameFrom.get(at)) {
    steps.push([before, at]);
    at = before;
  }
  return steps.length > MAX_PATH ? [] : connectionsAlong(steps.reverse(), { network, connections, pace });
}

/** The best supported connection of each step, whatever its direction. */
async function connectionsAlong<Of extends Connection>(
  steps: readonly (readonly [number, number])[],
  input: { readonly network: Network; readonly connections: readonly Of[]; readonly pace: Pace },
): Promise<readonly Of[]> {
  const { network, connections, pace } = input;
  const stepAfter = new Map(steps.map(([one], step) => [one, step]));
  const best: Of[] = [];
  await visitAtPace(connections, pace, (connection) => {
    const [source, target] = [connection.source, connection.target].map(
      (name) => network.numbers.get(name) ?? -1,
    );
    for (const [from, to] of [
      [source, target],
      [target, source],
    ]) {
      const step = stepAfter.get(from ?? -1);
      if (step === undefined || steps[step]?.[1] !== to) continue;
      if (best[step] === undefined || connection.chunks > best[step].chunks) best[step] = connection;
    }
  });
  return best;
}

interface Network {
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Where the neighbours of each entity begin in `neighbours`; one more at the end. */
  readonly starts: Uint32Array;
  readonly neighbours: Uint32Array;
}

async function networkOf(connections: readonly Connection[], pace: Pace): Promise<Network> {
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  const ends: (readonly [number, number])[] = [];
  await visitAtPace(connections, pace, ({ source, target }) => {
    ends.push([numberOf(source), numberOf(target)]);
  });
  const starts = new Uint32Array(numbers.size + 1);
  for (const [source, target] of ends) {
    starts[source + 1] = (starts[source + 1] ?? 0) + 1;
    starts[target + 1] = (starts[target + 1] ?? 0) + 1;
  }
  for (let entity = 0; entity < numbers.size; entity++) {
    starts[entity + 1] = (starts[entity + 1] ?? 0) + (starts[entity] ?? 0);
  }
  const places = starts.slice();
  const neighbours = new Uint32Array(2 * ends.length);
  const put = (entity: number, other: number) => {
    const place = places[entity] ?? 0;
    neighbours[place] = other;
    places[entity] = place + 1;
  };
  for (const [source, target] of ends) {
    put(source, target);
    put(target, source);
  }
  return { names: [...numbers.keys()], numbers, starts, neighbours };
}

function neighboursOf({ starts, neighbours }: Network, entity: number): Uint32Array {
  return neighbours.subarray(starts[entity], starts[entity + 1]);
}

function degreeOf({ starts }: Network, entity: number): number {
  return (starts[entity + 1] ?? 0) - (starts[entity] ?? 0);
}

/** The largest first; of equal ones the one that was met first. */
async function componentsOf(network: Network, pace: Pace): Promise<readonly (readonly number[])[]> {
  const isSeen = new Uint8Array(network.names.length);
  const components: number[][] = [];
  for (let start = 0; start < network.names.length; start++) {
    if (isSeen[start] === 1) continue;
    isSeen[start] = 1;
    const component = [start];
    for (const entity of component) {
      await pace(1);
      for (const next of neighboursOf(network, entity)) {
        if (isSeen[next] === 1) continue;
        isSeen[next] = 1;
        component.push(next);
      }
    }
    components.push(component);
  }
  return components.sort((a, b) => b.length - a.length);
}

/** Candidates are kept by their degree: there are few different degrees, so that the best one is found soon. */
async function takeFrom(
  component: readonly number[],
  input: {
    readonly network: Network;
    readonly taken: Set<number>;
    readonly limit: number;
    readonly pace: Pace;
  },
): Promise<void> {
  const { network, taken, limit, pace } = input;
  const candidates = new Map<number, { readonly entities: number[]; next: number }>();
  const offered = new Set<number>();
  const offer = (entity: number) => {
    if (offered.has(entity)) return;
    offered.add(entity);
    const degree = degreeOf(network, entity);
    const equals = candidates.get(degree);
    if (equals === undefined) candidates.set(degree, { entities: [entity], next: 0 });
    else equals.entities.push(entity);
  };
  offer(
    component.reduce((best, entity) => (degreeOf(network, entity) > degreeOf(network, best) ? entity : best)),
  );
  while (candidates.size > 0 && taken.size < limit) {
    const degree = Math.max(...candidates.keys());
    const equals = candidates.get(degree);
    const entity = equals?.entities[equals.next];
    if (equals === undefined || entity === undefined) {
      candidates.delete(degree);
      continue;
    }
    equals.next += 1;
    await pace(1);
    taken.add(entity);
    for (const next of neighboursOf(network, entity)) offer(next);
  }
}
