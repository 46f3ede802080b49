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
/** To the right of the centre, where its name stands, no line runs. */
const nameAngle = Math.PI / 3;
/** Screens are wider than high, and names are written across. */
const widening = 1.3;

/** Of a path: entities side by side, and their distances. */
const maxInRow = 5;
const step = { across: 200, down: 130 } as const;

interface Branch {
  readonly id: string;
  readonly ring: number;
  readonly children: Branch[];
  /** The number of entities at its outer end. */
  leaves: number;
}

/** The middle of the drawing is 0, 0. Scenes without a centre are paths. */
export function layOutScene(scene: Scene): Positions {
  if (scene.centre === null) return layOutRows(scene);
  const root = treeOf(scene, scene.centre);
  const rings = countRings(root);
  const positions = new Map<string, Position>();
  // Each ring is wide enough for what stands on it.
  const widest = Math.max(...rings.map((count, ring) => (ring === 0 ? 0 : (count * leafDistance) / ring)));
  const distance = Math.max(
    ringDistance,
    Math.max(widest, root.leaves * leafDistance * 0.6) / (2 * Math.PI - nameAngle),
  );
  place(root, { from: nameAngle / 2, to: 2 * Math.PI - nameAngle / 2 });
  return positions;

  function place(branch: Branch, { from, to }: { readonly from: number; readonly to: number }): void {
    const angle = (from + to) / 2;
    const radius = branch.ring * distance;
    const [x, y] = [widening * radius * Math.cos(angle), -radius * Math.sin(angle)];
    positions.set(branch.id, branch === root ? { x: 0, y: 0 } : { x, y });
    let start = from;
    for (const child of branch.children) {
      const end = start + ((to - from) * child.leaves) / branch.leaves;
      place(child, { from: start, to: end });
      start = end;
    }
  }
}

/** A path is a row, a longer one several rows, read to and fro: so that each line is long enough for its type. */
function layOutRows({ nodes }: Scene): Positions {
  const rows = Math.ceil(nodes.length / maxInRow);
  const width = Math.ceil(nodes.length / rows);
  return new Map(
    nodes.map(({ id }, at) => {
      const row = Math.floor(at / width);
      const column = row % 2 === 0 ? at % width : width - 1 - (at % width);
      return [
        id,
        { x: step.across * (column - (width - 1) / 2), y: (step.down * (rows - 1)) / 2 - step.down * row },
      ];
    }),
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
