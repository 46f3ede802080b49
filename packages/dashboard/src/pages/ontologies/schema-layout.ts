/** Computes the layout of a schema diagram. Sizes are pixels. */
import { Graph, layout } from "@dagrejs/dagre";
import type { SchemaDraft } from "./schema-draft.ts";

const nodeHeight = 40;
const labelHeight = 18;
const margin = 12;
const cornerRadius = 14;
/** Between labels and the loop around them. */
const loopRoom = 6;
/** Widths of a character of the diagram's fonts, generously: a name must not leave its box. */
const nameCharacter = 8;
const labelCharacter = 7.4;
const maxNameCharacters = 28;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** `x` and `y` are its centre. */
export interface PlacedNode extends Point {
  readonly name: string;
  readonly label: string;
  readonly level: number;
  /** False: edge types name it, but the schema has no such type. */
  readonly isKnown: boolean;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly id: string;
  readonly path: string;
  readonly label: string;
  /** Centre of the label. */
  readonly at: Point;
  /** Place of the edge type in the schema; null: leads from a type of a higher level to a type that it aggregates. */
  readonly type: number | null;
}

export interface SchemaLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

interface Line {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly label: string;
  readonly type: number | null;
}

/** From left to right if that fits into `maxWidth`, else from top to bottom. */
export function layOut(draft: SchemaDraft, maxWidth: number): SchemaLayout {
  const wide = layOutAlong(draft, "LR");
  return wide.width <= maxWidth ? wide : layOutAlong(draft, "TB");
}

/** The layout looks names up in plain objects, which have a `constructor` already. */
function nodeOf(name: string): string {
  return `type ${name}`;
}

function layOutAlong(draft: SchemaDraft, rankdir: "LR" | "TB"): SchemaLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir, nodesep: 28, ranksep: 36, edgesep: 16, marginx: margin, marginy: margin });
  const lines = linesOf(draft);
  const levels = new Map(draft.nodeTypes.map(({ name, level }) => [name, level]));
  const names = new Set([...levels.keys(), ...lines.flatMap(({ source, target }) => [source, target])]);
  for (const name of names) graph.setNode(nodeOf(name), { width: widthOf(name), height: nodeHeight });
  for (const { id, source, target, label } of lines) {
    // The layout keeps this room free, so that no label covers another.
    const room = label === "" ? { width: 0, height: 0 } : { width: labelWidth(label), height: labelHeight };
    graph.setEdge(nodeOf(source), nodeOf(target), { ...room, labelpos: "c" }, id);
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    ...{ width: Math.ceil(width), height: Math.ceil(height) },
    nodes: [...names].map((name) => {
      const { x, y } = graph.node(nodeOf(name));
      const level = levels.get(name);
      const size = { width: widthOf(name), height: nodeHeight };
      return { name, label: shortened(name), level: level ?? 0, isKnown: level !== undefined, x, y, ...size };
    }),
    edges: lines.map(({ id, source, target, label, type }) => {
      const { points = [], x = 0, y = 0 } = graph.edge(nodeOf(source), nodeOf(target), id);
      const at = { x, y };
      if (source !== target) return { id, label, type, at, path: pathThrough(points) };
      const box = { ...graph.node(nodeOf(source)), width: widthOf(source) };
      const loops = lines.filter((line) => line.source === source && line.target === source);
      if (loops.length === 1) return { id, label, type, at, path: loopAround(box, at) };
      // Several would lie over each other: one loop has all their labels within.
      const labels = loops.map((line) => {
        const { x: column = 0, y: row = 0 } = graph.edge(nodeOf(source), nodeOf(source), line.id);
        return { x: column, y: row, width: labelWidth(line.label) };
      });
      return { id, label, type, at, path: loops[0]?.id === id ? loopWith(box, labels) : "" };
    }),
  };
}

/** One line for each pair of types that an edge type connects. */
function linesOf({ nodeTypes, edgeTypes }: SchemaDraft): readonly Line[] {
  const related = edgeTypes.flatMap(({ name, sources, targets }, type) =>
    sources.flatMap((source) =>
      targets.map((target) => ({
        id: `${type} ${source}\n${target}`,
        source,
        target,
        label: shortened(name),
        type,
      })),
    ),
  );
  const aggregated = nodeTypes.flatMap(({ name, aggregates }) =>
    aggregates.map((target) => ({ id: `${name}\n${target}`, source: name, target, label: "", type: null })),
  );
  return [...aggregated, ...related];
}

/** Straight between the points of the layout, of which one is the place of the label, with round corners. */
function pathThrough([first, ...others]: readonly Point[]): string {
  if (first === undefined) return "";
  let from = first;
  const parts = others.map((corner, at) => {
    const next = others[at + 1];
    if (next === undefined) return `L${place(corner)}`;
    const part = `L${place(towards(corner, from))} Q${place(corner)} ${place(towards(corner, next))}`;
    from = corner;
    return part;
  });
  return `M${place(first)} ${parts.join(" ")}`;
}

/** The point of a line at which its corner begins. */
function towards(corner: Point, end: Point): Point {
  const length = Math.hypot(end.x - corner.x, end.y - corner.y);
  const share = length === 0 ? 0 : Math.min(cornerRadius, length / 2) / length;
  return { x: corner.x + (end.x - corner.x) * share, y: corner.y + (end.y - corner.y) * share };
}

/** From a box around the label and back; the layout has room for the label only. */
function loopAround(box: Point & { readonly width: number }, label: Point): string {
  const isBeside = Math.abs(label.x - box.x) > Math.abs(label.y - box.y);
  const [across, along] = isBeside ? (["y", "x"] as const) : (["x", "y"] as const);
  const half = (isBeside ? box.width : nodeHeight) / 2;
  const border = box[along] + Math.sign(label[along] - box[along]) * half;
  // The middle of the curve is then at the label.
  const far = (label[along] - border / 4) / 0.75;
  const point = (position: number, offset: number) => {
    const side = box[across] + offset;
    return place(isBeside ? { x: position, y: side } : { x: side, y: position });
  };
  return `M${point(border, -9)} C${point(far, -34)} ${point(far, 34)} ${point(border, 9)}`;
}

/** From a box around labels that stand in a row beside or below it, and back. */
function loopWith(box: Sized, labels: readonly Sized[]): string {
  const farthest = labels.reduce((most, label) =>
    distance(label, box) > distance(most, box) ? label : most,
  );
  const isBeside = Math.abs(farthest.x - box.x) > Math.abs(farthest.y - box.y);
  const [across, along] = isBeside ? (["y", "x"] as const) : (["x", "y"] as const);
  const direction = Math.sign(farthest[along] - box[along]) || 1;
  const sizeAlong = (each: Sized, height: number) => (isBeside ? each.width : height) / 2;
  const sizeAcross = (each: Sized, height: number) => (isBeside ? height : each.width) / 2;
  const border = box[along] + direction * sizeAlong(box, nodeHeight);
  const far = farthest[along] + direction * (sizeAlong(farthest, labelHeight) + loopRoom);
  const middle = box[across];
  const wide =
    Math.max(...labels.map((label) => Math.abs(label[across] - middle) + sizeAcross(label, labelHeight))) +
    loopRoom;
  const start = Math.min(wide, sizeAcross(box, nodeHeight) - loopRoom);
  const point = (position: number, offset: number): Point =>
    isBeside ? { x: position, y: middle + offset } : { x: middle + offset, y: position };
  const near = border + direction * loopRoom;
  return pathThrough([
    point(border, -start),
    point(near, -wide),
    point(far, -wide),
    point(far, wide),
    point(near, wide),
    point(border, start),
  ]);
}

interface Sized extends Point {
  readonly width: number;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function place({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

function widthOf(name: string): number {
  return Math.max(72, Math.ceil(shortened(name).length * nameCharacter) + 28);
}

export function labelWidth(label: string): number {
  return Math.ceil(label.length * labelCharacter) + 10;
}

function shortened(name: string): string {
  return name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters - 1)}…` : name;
}
