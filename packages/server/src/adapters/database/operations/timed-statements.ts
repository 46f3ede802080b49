/** What chunks state of relationships that have times, and whether it holds then. */

import type { ChunkKey } from "../../../domain/document.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import { holdsAt, type Moment } from "../../../domain/validity.ts";
import type { TimedStatement } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { findHeld, type Timed } from "./edge-times.ts";
import { confidenceUnits, nameOf, type StoredEdge, timingColumns } from "./graph-facts.ts";
import { readNodeNumbers } from "./graph-nodes.ts";
import { readFacts } from "./graph-quotes.ts";

/** Of all chunks, and of pairs of names that are looked up for them. */
const maxStatements = 256;
const maxLookups = 1_024;

interface Stated {
  readonly statement: Omit<TimedStatement, "holds">;
  readonly edge: StoredEdge;
  readonly source: EntityKey;
  readonly target: EntityKey;
}

/** One statement where the chunks state nothing that has times. At most 256 of them. */
export async function readTimedStatements(
  db: Database,
  { projectId, keys, asOf }: { projectId: string; keys: readonly ChunkKey[]; asOf: Moment },
): Promise<readonly TimedStatement[]> {
  const facts = await readFacts(db, projectId, keys);
  const stated = [...facts.values()]
    .toSorted((one, other) => one.versionId - other.versionId || one.position - other.position)
    .flatMap(({ versionId, position, facts: { nodes, edges } }): readonly Stated[] =>
      edges.filter(isTimed).map((edge) => {
        const [source, target] = [edge[0], edge[1]].map((node): EntityKey => {
          const [type = "", key = ""] = nodes[node] ?? [];
          return { type, key };
        }) as [EntityKey, EntityKey]; // Of two numbers.
        const [, , type, start, end, , , from, , timing] = edge;
        const known = { source: source.key, target: target.key, began: from, told: timing?.[0] ?? null };
        return { edge, source, target, statement: { versionId, position, start, end, type, ...known } };
      }),
    )
    .slice(0, maxStatements);
  if (stated.length === 0) return [];
  const able = stated.filter(({ edge }) => holdsAt({ validFrom: edge[7], validTo: edge[8] }, asOf));
  const numbers = await readNodeNumbers(
    db,
    projectId,
    able.flatMap(({ source, target }) => [source, target]),
  );
  const timed = able
    .map((each) => ({ ...toTimed(each, numbers, asOf), each }))
    .toSorted((a, b) => a.source - b.source || a.target - b.target || (a.type < b.type ? -1 : 1));
  const { held, taken } = await findHeld(db, timed, { projectId, moment: asOf, limit: maxLookups });
  // Of what was not looked up nothing is known to have ended.
  const holding = new Set([...held, ...timed.slice(taken)].map(({ each }) => each));
  return stated.map((each) => ({ ...each.statement, holds: holding.has(each) }));
}

function isTimed([, , , , , , , from, to, timing]: StoredEdge): boolean {
  return timing !== undefined || from !== null || to !== null;
}

function toTimed(
  { edge, source, target }: Stated,
  numbers: ReadonlyMap<string, number>,
  { by }: Moment,
): Timed {
  const [, , type, , , confidence, , from, to] = edge;
  const [known, turn] = timingColumns(edge);
  const numberOf = (name: EntityKey) => numbers.get(nameOf(name)) ?? 0;
  const isOpen = to === null || (by !== "today" && from === null);
  // What a person has confirmed has its own bounds alone.
  const decides = isOpen && confidence <= confidenceUnits;
  return {
    ...{ source: numberOf(source), target: numberOf(target), type },
    ...{ known: decides ? known : null, turn: decides ? turn : null },
    ...{ begun: from === null ? 0 : 1, ended: to === null ? 0 : 1 },
  };
}
