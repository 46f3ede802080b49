/** Lays out the groups of an overview, each by forces (relationships pull, entities push, none covers another), and places them beside each other. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationNodeDatum,
} from "d3-force";
import { lineLength, manyNodes } from "./line-length.ts";
import { packGroups, type Shape, type Shift } from "./pack-groups.ts";

export interface LayoutTask {
  /** Radius of each node. */
  readonly sizes: Float32Array;
  /** Source and target of each edge, interleaved, as indexes into the list of nodes. */
  readonly edges: Uint32Array;
  /** Of the picture. */
  readonly shape: Shape;
}

interface Node extends SimulationNodeDatum {
  /** Its index in the task. */
  readonly node: number;
}

interface Group {
  readonly nodes: readonly Node[];
  /** Between indexes of `nodes`. */
  readonly links: readonly { readonly source: number; readonly target: number }[];
}

/** Around a node, within its group. A drawing of many is made smaller to fit into the picture, and its nodes are not. */
const room = { apart: 9, share: 1.6 } as const;
/** Of the length of a line: how far the entities of two groups are from each other at least. */
const apart = 0.75;
/** By forces a group is nearly round: it is widened, or heightened, as its picture has room. */
const stretch = { wide: { x: 1.3, y: 1 }, tall: { x: 1, y: 1.3 } } as const;
const ticks = { few: 300, many: 120 } as const;

/** x and y of each node, interleaved. `onTick` can ask for what there is meanwhile. */
export function layOutGroups(
  { sizes, edges, shape }: LayoutTask,
  onTick: (places: () => Float32Array) => void,
): Float32Array {
  const isLarge = sizes.length > manyNodes;
  const length = lineLength(sizes.length);
  const groups = groupsOf(sizes.length, edges);
  const places = () => placesOf(groups, { count: sizes.length, length, shape });
  const simulations = groups.map((group) => simulate(group, { sizes, length, isLarge }));
  // All at the same time, so that what is shown meanwhile has no group that is still in a heap.
  for (let tick = 0; tick < ticks[isLarge ? "many" : "few"]; tick++) {
    for (const simulation of simulations) simulation.tick();
    onTick(places);
  }
  return places();
}

function simulate(
  { nodes, links }: Group,
  {
    sizes,
    length,
    isLarge,
  }: { readonly sizes: Float32Array; readonly length: number; readonly isLarge: boolean },
): Simulation<Node, undefined> {
  const simulation = forceSimulation([...nodes])
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / ticks[isLarge ? "many" : "few"]))
    .force(
      "link",
      forceLink(links.map((link) => ({ ...link })))
        .distance(length)
        .strength(isLarge ? 0.7 : 0.6),
    )
    // Without a greatest distance: it would show as arcs of what it holds off.
    .force(
      "charge",
      forceManyBody()
        .strength(isLarge ? -60 : -190)
        .theta(isLarge ? 1.1 : 0.9),
    )
    .force("x", forceX(0).strength(0.04))
    .force("y", forceY(0).strength(0.068));
  // Costs as much as the other forces together.
  if (!isLarge)
    simulation.force(
      "room",
      forceCollide<Node>(({ node }) => room.share * (sizes[node] ?? 0) + room.apart).iterations(2),
    );
  return simulation;
}

/** What hangs together, the largest first. */
function groupsOf(count: number, edges: Uint32Array): readonly Group[] {
  const first = Uint32Array.from({ length: count }, (_, node) => node);
  const find = (node: number): number => {
    let at = node;
    while (first[at] !== at) {
      first[at] = first[first[at] ?? at] ?? at;
      at = first[at] ?? at;
    }
    return at;
  };
  const pairs = Array.from(
    { length: edges.length / 2 },
    (_, at) => [edges[2 * at] ?? 0, edges[2 * at + 1] ?? 0] as const,
  );
  for (const [source, target] of pairs) first[find(source)] = find(target);
  const groups = new Map<number, { nodes: Node[]; links: { source: number; target: number }[] }>();
  const indexes = new Uint32Array(count);
  for (let node = 0; node < count; node++) {
    const key = find(node);
    const group = groups.get(key) ?? { nodes: [], links: [] };
    groups.set(key, group);
    indexes[node] = group.nodes.push({ node }) - 1;
  }
  for (const [source, target] of pairs)
    groups.get(find(source))?.links.push({ source: indexes[source] ?? 0, target: indexes[target] ?? 0 });
  return [...groups.values()].sort((one, other) => other.nodes.length - one.nodes.length);
}

function placesOf(
  groups: readonly Group[],
  { count, length, shape }: { readonly count: number; readonly length: number; readonly shape: Shape },
): Float32Array {
  const { x: across, y: down } = stretch[shape];
  const placed = groups.map(({ nodes }) => nodes.map(({ x = 0, y = 0 }) => ({ x: across * x, y: down * y })));
  const shifts = packGroups(
    groups.map(({ links }, at) => ({ points: pointsOf(placed[at] ?? [], links, length) })),
    { room: apart * length, shape },
  );
  const places = new Float32Array(2 * count);
  for (const [at, { nodes }] of groups.entries()) {
    const shift = shifts[at] ?? { x: 0, y: 0 };
    for (const [index, { node }] of nodes.entries()) {
      const { x, y } = placed[at]?.[index] ?? shift;
      places.set([x + shift.x, y + shift.y], 2 * node);
    }
  }
  return places;
}

/** Its entities, and its lines as far as they are longer than the room around an entity. */
function pointsOf(placed: readonly Shift[], links: Group["links"], length: number): readonly Shift[] {
  const along = links.flatMap(({ source, target }) => {
    const [from, to] = [placed[source] ?? { x: 0, y: 0 }, placed[target] ?? { x: 0, y: 0 }];
    const [across, down] = [to.x - from.x, to.y - from.y];
    const parts = Math.ceil(Math.hypot(across, down) / (apart * length));
    return Array.from({ length: Math.max(0, parts - 1) }, (_, at) => ({
      x: from.x + (across * (at + 1)) / parts,
      y: from.y + (down * (at + 1)) / parts,
    }));
  });
  return [...placed, ...along];
}
