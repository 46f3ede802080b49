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

/** From left to right if that fits into `maxWidth`, else from top to bottom, with what no line joins side by side as far as there is room. */
export function layOut(draft: SchemaDraft, maxWidth: number): SchemaLayout {
  const lines = linesOf(draft);
  const levels = new Map(draft.nodeTypes.map(({ name, level }) => [name, level]));
  const names = new Set([...levels.keys(), ...lines.flatMap(({ source, target }) => [source, target])]);
  const wide = layOutAlong({ names: [...names], lines, levels }, "LR");
  if (wide.width <= maxWidth) return wide;
  const groups = groupsOf([...names], lines).map((group) => ({
    names: group,
    lines: linesAmong(group, lines),
    levels,
  }));
  return inRows(groups, maxWidth);
}

/** What is laid out together. */
interface Part {
  readonly names: readonly string[];
  readonly lines: readonly Line[];
  readonly levels: ReadonlyMap<string, number>;
}

/** Types that lines join, the largest group first. */
function groupsOf(names: readonly string[], lines: readonly Line[]): readonly (readonly string[])[] {
  const groups = new Map(names.map((name) => [name, [name]]));
  for (const { source, target } of lines) {
    const [one = [], other = []] = [groups.get(source), groups.get(target)];
    if (one === other) continue;
    one.push(...other);
    for (const name of other) groups.set(name, one);
  }
  return [...new Set(groups.values())].sort((one, other) => other.length - one.length);
}

function linesAmong(names: readonly string[], lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ source }) => names.includes(source));
}

/** Each group from top to bottom, the next one beside it if `maxWidth` has the room, else below. */
function inRows(groups: readonly Part[], maxWidth: number): SchemaLayout {
  const placed: SchemaLayout[] = [];
  let row = { left: 0, top: 0, bottom: 0 };
  for (const group of groups) {
    const { width } = layOutAlong(group, "TB");
    if (row.left > 0 && row.left + width > maxWidth) row = { left: 0, top: row.bottom, bottom: row.bottom };
    const part = layOutAlong(group, "TB", { x: row.left, y: row.top });
    placed.push(part);
    row = { ...row, left: part.width, bottom: Math.max(row.bottom, part.height) };
  }
  return {
    width: Math.max(0, ...placed.map(({ width }) => width)),
    height: row.bottom,
    nodes: placed.flatMap(({ nodes }) => nodes),
    edges: placed.flatMap(({ edges }) => edges),
  };
}

/** The layout looks names up in plain objects, which have a `constructor` already. */
function nodeOf(name: string): string {
  return `type ${name}`;
}

/** `width` and `height` reach from 0 to the end of the part that begins at `corner`. */
function layOutAlong(
  { names, lines, levels }: Part,
  rankdir: "LR" | "TB",
  corner: Point = { x: 0, y: 0 },
): SchemaLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir, nodesep: 28, ranksep: 36, edgesep: 16, marginx: margin, marginy: margin });
  for (const name of names) graph.setNode(nodeOf(name), { width: widthOf(name), height: nodeHeight });
  for (const { id, source, target, label } of lines) {
    // The layout keeps this room free, so that no label covers another.
    const room = label === "" ? { width: 0, height: 0 } : { width: labelWidth(label), height: labelHeight };
    graph.setEdge(nodeOf(source), nodeOf(target), { ...room, labelpos: "c" }, id);
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const moved = ({ x, y }: Point): Point => ({ x: corner.x + x, y: corner.y + y });
  const placeOf = (name: string) => moved(graph.node(nodeOf(name)));
  const edgeOf = ({ source, target, id }: Line) => {
    const { points = [], x = 0, y = 0 } = graph.edge(nodeOf(source), nodeOf(target), id);
    return { points: points.map(moved), at: moved({ x, y }) };
  };
  return {
    ...{ width: corner.x + Math.ceil(width), height: corner.y + Math.ceil(height) },
    nodes: names.map((name) => {
      const { x, y } = placeOf(name);
      const level = levels.get(name);
      const size = { width: widthOf(name), height: nodeHeight };
      return { name, label: shortened(name), level: level ?? 0, isKnown: level !== undefined, x, y, ...size };
    }),
    edges: lines.map((line) => {
      const { id, source, target, label, type } = line;
      const { points, at } = edgeOf(line);
      if (source !== target) return { id, label, type, at, path: pathThrough(points) };
      const box = { ...placeOf(source), width: widthOf(source) };
      const loops = lines.filter((each) => each.source === source && each.target === source);
      if (loops.length === 1) return { id, label, type, at, path: loopAround(box, at) };
      // Several would lie over each other: one loop has all their labels within.
      const labels = loops.map((each) => ({ ...edgeOf(each).at, width: labelWidth(each.label) }));
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
