/** Computes the layout of a schema diagram. Sizes are pixels. */
import type { SchemaDraft } from "./schema-draft.ts";

export const nodeWidth = 148;
export const nodeHeight = 40;
const gapY = 110;
const bottom = 24;
const wide = { gapX: 64, left: 76, top: 40, minColumns: 3 };
/** The names of levels are above their rows. */
const narrow = { gapX: 24, left: 0, top: 60, minColumns: 2 };

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode extends Point {
  readonly name: string;
}

export interface PlacedEdge {
  readonly id: string;
  readonly path: string;
  readonly label: string;
  /** Centre of the label. */
  readonly at: Point;
  /** Leads from a type of a higher level to a type that it aggregates. */
  readonly isAggregation: boolean;
}

export interface SchemaLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  /** `y` is the top of the boxes in the first row of the level. */
  readonly levels: readonly { readonly level: number; readonly y: number }[];
  readonly isNarrow: boolean;
}

/** Puts as many types into a row as fit into `maxWidth` pixels. */
export function layOut({ nodeTypes, edgeTypes }: SchemaDraft, maxWidth: number): SchemaLayout {
  const isNarrow = maxWidth < wide.left + wide.minColumns * (nodeWidth + wide.gapX) - wide.gapX;
  const { gapX, left, top, minColumns } = isNarrow ? narrow : wide;
  const perRow = Math.max(minColumns, Math.floor((maxWidth - left + gapX) / (nodeWidth + gapX)));
  const numbers = [...new Set(nodeTypes.map(({ level }) => level))].sort((one, other) => other - one);
  const nodes: PlacedNode[] = [];
  const levels: { readonly level: number; readonly y: number }[] = [];
  let row = 0;
  for (const level of numbers) {
    const own = nodeTypes.filter((type) => type.level === level);
    levels.push({ level, y: top + row * gapY });
    for (const [at, { name }] of own.entries()) {
      nodes.push({
        name,
        x: left + (at % perRow) * (nodeWidth + gapX),
        y: top + (row + Math.floor(at / perRow)) * gapY,
      });
    }
    row += Math.max(1, Math.ceil(own.length / perRow));
  }
  const places = new Map(nodes.map((node) => [node.name, node]));
  const related = edgeTypes.flatMap(({ name, sources, targets }) =>
    sources.flatMap((source) =>
      targets.map((target) => ({ label: name, source, target, isAggregation: false })),
    ),
  );
  const aggregated = nodeTypes.flatMap(({ name, aggregates }) =>
    aggregates.map((target) => ({ label: "", source: name, target, isAggregation: true })),
  );
  const columns = Math.min(
    perRow,
    Math.max(1, ...numbers.map((level) => nodeTypes.filter((type) => type.level === level).length)),
  );
  return {
    nodes,
    levels,
    isNarrow,
    edges: connect([...aggregated, ...related], places),
    width: left + columns * (nodeWidth + gapX) - gapX,
    height: top + (row - 1) * gapY + nodeHeight + bottom,
  };
}

interface Connection {
  readonly label: string;
  readonly source: string;
  readonly target: string;
  readonly isAggregation: boolean;
}

/** Edges between the same two types bend by different amounts. */
function connect(
  connections: readonly Connection[],
  places: ReadonlyMap<string, PlacedNode>,
): readonly PlacedEdge[] {
  const between = new Map<string, number>();
  return connections.flatMap(({ label, source, target, isAggregation }) => {
    const [from, to] = [places.get(source), places.get(target)];
    if (from === undefined || to === undefined) return [];
    const pair = [source, target].sort().join("\n");
    const nth = between.get(pair) ?? 0;
    between.set(pair, nth + 1);
    const drawn = source === target ? loop(from, nth) : curve(from, to, nth);
    return [{ ...drawn, id: `${label}\n${source}\n${target}`, label, isAggregation }];
  });
}

function loop({ x, y }: Point, nth: number): { readonly path: string; readonly at: Point } {
  const [left, right, top] = [x + nodeWidth * 0.35, x + nodeWidth * 0.65, y - 26 - 14 * nth];
  return {
    path: `M${left} ${y} C${left} ${top} ${right} ${top} ${right} ${y}`,
    at: { x: x + nodeWidth / 2, y: top + 4 },
  };
}

function curve(from: Point, to: Point, nth: number): { readonly path: string; readonly at: Point } {
  const [start, end] = [centre(from), centre(to)];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy);
  // Edges within a row bend more, so that the line does not cross the boxes between its ends.
  const bend = (dy === 0 ? 34 + Math.abs(dx) * 0.1 : 14) + 22 * nth;
  const control = {
    x: (start.x + end.x) / 2 - (dy / length) * bend,
    y: (start.y + end.y) / 2 - (Math.abs(dx) / length) * bend,
  };
  const [first, last] = [border(from, control), border(to, control)];
  const at = { x: (first.x + 2 * control.x + last.x) / 4, y: (first.y + 2 * control.y + last.y) / 4 - 4 };
  return { path: `M${first.x} ${first.y} Q${control.x} ${control.y} ${last.x} ${last.y}`, at };
}

function centre({ x, y }: Point): Point {
  return { x: x + nodeWidth / 2, y: y + nodeHeight / 2 };
}

/** The point where the line from the centre of a box towards another point leaves the box. */
function border(box: Point, towards: Point): Point {
  const { x, y } = centre(box);
  const [dx, dy] = [towards.x - x, towards.y - y];
  const share = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : nodeWidth / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : nodeHeight / 2 / Math.abs(dy),
  );
  const part = Number.isFinite(share) ? Math.min(1, share) : 0;
  return { x: Math.round(x + dx * part), y: Math.round(y + dy * part) };
}
