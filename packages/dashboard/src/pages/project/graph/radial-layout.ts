/** Places of a neighbourhood: the chosen entity in the middle, the others on rings, those of one type of relationship side by side. */
import type { Scene, SceneEdge } from "./scene.ts";

export interface Position {
  readonly x: number;
  readonly y: number;
}

export type Positions = ReadonlyMap<string, Position>;

/** Distance of two rings, and the least distance of two entities on one, in the units of the drawing. */
const ringDistance = 150;
const leafDistance = 64;
/** Screens are wider than high, and names are written across. */
const widening = 1.3;

interface Branch {
  readonly id: string;
  readonly ring: number;
  readonly children: Branch[];
  /** The number of entities at its outer end. */
  leaves: number;
}

/** The middle of the drawing is 0, 0. Scenes without a centre are laid out as a row: a path. */
export function layOutScene(scene: Scene): Positions {
  if (scene.centre === null) return layOutRow(scene);
  const root = treeOf(scene, scene.centre);
  const rings = countRings(root);
  const positions = new Map<string, Position>();
  // Each ring is wide enough for what stands on it.
  const widest = Math.max(...rings.map((count, ring) => (ring === 0 ? 0 : (count * leafDistance) / ring)));
  const distance = Math.max(ringDistance, Math.max(widest, root.leaves * leafDistance * 0.6) / (2 * Math.PI));
  place(root, { from: -Math.PI / 2, to: 1.5 * Math.PI });
  return positions;

  function place(branch: Branch, { from, to }: { readonly from: number; readonly to: number }): void {
    const angle = (from + to) / 2;
    const radius = branch.ring * distance;
    positions.set(branch.id, { x: widening * radius * Math.cos(angle), y: -radius * Math.sin(angle) });
    let start = from;
    for (const child of branch.children) {
      const end = start + ((to - from) * child.leaves) / branch.leaves;
      place(child, { from: start, to: end });
      start = end;
    }
  }
}

function layOutRow({ nodes }: Scene): Positions {
  const middle = (nodes.length - 1) / 2;
  // A slight wave leaves room for the names.
  return new Map(
    nodes.map(({ id }, at) => [id, { x: 200 * (at - middle), y: (at % 2 === 0 ? 1 : -1) * 36 }]),
  );
}

/** Each entity hangs on the first one that leads to it, in the order of the types of the lines. */
function treeOf({ edges, nodes }: Scene, centre: string): Branch {
  const lines = new Map<string, { readonly edge: SceneEdge; readonly other: string }[]>();
  const add = (id: string, line: { readonly edge: SceneEdge; readonly other: string }) => {
    const known = lines.get(id);
    if (known === undefined) lines.set(id, [line]);
    else known.push(line);
  };
  for (const edge of edges) {
    add(edge.source, { edge, other: edge.target });
    add(edge.target, { edge, other: edge.source });
  }
  const root: Branch = { id: centre, ring: 0, children: [], leaves: 0 };
  const branches = new Map([[centre, root]]);
  // The map grows while it is walked.
  for (const [id, branch] of branches) {
    for (const { other } of (lines.get(id) ?? []).toSorted(byType)) {
      if (branches.has(other)) continue;
      const child: Branch = { id: other, ring: branch.ring + 1, children: [], leaves: 0 };
      branch.children.push(child);
      branches.set(other, child);
    }
  }
  // What a filter has cut off stands on the first ring.
  for (const { id } of nodes)
    if (!branches.has(id)) root.children.push({ id, ring: 1, children: [], leaves: 0 });
  countLeaves(root);
  return root;
}

/** Mentioned together comes last. */
function byType(one: { readonly edge: SceneEdge }, other: { readonly edge: SceneEdge }): number {
  const [first, second] = [one.edge.types[0] ?? "\u{10ffff}", other.edge.types[0] ?? "\u{10ffff}"];
  return first === second ? 0 : first < second ? -1 : 1;
}

function countLeaves(branch: Branch): number {
  branch.leaves = Math.max(
    1,
    branch.children.reduce((sum, child) => sum + countLeaves(child), 0),
  );
  return branch.leaves;
}

function countRings(root: Branch): readonly number[] {
  const counts: number[] = [];
  const visit = ({ ring, children }: Branch) => {
    counts[ring] = (counts[ring] ?? 0) + 1;
    for (const child of children) visit(child);
  };
  visit(root);
  return counts;
}
