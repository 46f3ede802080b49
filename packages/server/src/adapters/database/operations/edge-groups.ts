/** Puts together the edges between the names of the same two entities. */
import type { WalkedEdge } from "../../../ports/graph-browser.ts";
import type { End } from "./edge-ends.ts";
import { keyOfEdge } from "./graph-places.ts";

export interface EdgeGroup extends WalkedEdge {
  /** `source` and `target` are entities, or names that are none. */
  readonly sourceEnd: GroupEnd;
  readonly targetEnd: GroupEnd;
  readonly parts: readonly WalkedEdge[];
  /** A person has confirmed or added one of the parts. */
  readonly isConfirmed: boolean;
}

/** The first type and normal form of the names that the edges have. */
interface GroupEnd {
  readonly entityId: number | null;
  readonly type: string;
  readonly key: string;
}

/** Without edges that have lost an end. `confirmed`: keys of edges. */
export function groupEdges(
  edges: readonly WalkedEdge[],
  ends: ReadonlyMap<number, End>,
  confirmed: ReadonlySet<string> = new Set(),
): readonly EdgeGroup[] {
  const known = edges.flatMap((edge) => {
    const [source, target] = [ends.get(edge.source), ends.get(edge.target)];
    return source === undefined || target === undefined ? [] : [{ edge, source, target }];
  });
  const groups = Map.groupBy(known, ({ edge, source, target }) =>
    keyOfEdge(numberOf(source), numberOf(target), edge.type),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        source: numberOf(first.source),
        target: numberOf(first.target),
        type: first.edge.type,
        chunks: group.reduce((sum, { edge }) => sum + edge.chunks, 0),
        confidence: group.reduce((most, { edge }) => Math.max(most, edge.confidence), 0),
        sourceEnd: endOf(group.map(({ source }) => source)),
        targetEnd: endOf(group.map(({ target }) => target)),
        parts: group.map(({ edge }) => edge),
        isConfirmed: group.some(({ edge }) => confirmed.has(keyOfEdge(edge.source, edge.target, edge.type))),
      },
    ];
  });
}

function numberOf({ entityId, nodeId }: End): number {
  return entityId ?? nodeId;
}

function endOf(ends: readonly End[]): GroupEnd {
  const least = (texts: readonly string[]) => texts.reduce((a, b) => (compareText(b, a) < 0 ? b : a));
  return {
    entityId: ends[0]?.entityId ?? null,
    type: least(ends.map(({ type }) => type)),
    key: least(ends.map(({ key }) => key)),
  };
}

/** Confirmed ones first, then by support, then by the names of source and target, type and numbers. */
export function bySupport(a: EdgeGroup, b: EdgeGroup): number {
  return (
    Number(b.isConfirmed) - Number(a.isConfirmed) ||
    b.chunks - a.chunks ||
    compareText(a.sourceEnd.key, b.sourceEnd.key) ||
    compareText(a.targetEnd.key, b.targetEnd.key) ||
    compareText(a.type, b.type) ||
    a.source - b.source ||
    a.target - b.target
  );
}

/** By code point, like the databases: code units would place U+10000 before U+E000. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
}

/** Of a code unit; surrogates come last, the end of a text first. */
function rankOf(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
