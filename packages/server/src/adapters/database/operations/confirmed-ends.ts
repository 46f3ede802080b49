/** What a confirmation makes of the ends of a relationship: entities are of one type each, and texts do not always give a name the same one. */
import { sql } from "kysely";
import type { EntityKey } from "../../../domain/graph.ts";
import { readAllowedFacts } from "../../../domain/ontology/allowed-facts.ts";
import type { ConfirmedEnds, EntityOfName, FactEnds } from "../../../ports/correction-store.ts";
import type { Database } from "../schema.ts";
import { nameOf } from "./graph-facts.ts";
import { type Row, selectFor } from "./graph-sql.ts";
import { isStorableName } from "./graph-text.ts";
import { readAllowedFactsOf } from "./ontologies.ts";

/** Of the entities of a name. */
const maxOthers = 5;

/**
 * An end without an entity of its type is taken for the entity that has its name under another type, if the ontology allows that for one alone.
 * `inTurn`: each fact is confirmed before the next.
 */
export async function findConfirmedEnds(
  db: Database,
  { projectId, facts, inTurn }: { projectId: string; facts: readonly FactEnds[]; inTurn: boolean },
): Promise<readonly ConfirmedEnds[]> {
  const entities = await readEntitiesOf(
    db,
    projectId,
    facts.flatMap(({ source, target }) => [source, target]),
  );
  const isClear = facts.every(({ source, target }) =>
    [source, target].every((end) => othersOf(end, entities).length === 0),
  );
  const json = isClear && !inTurn ? null : await readAllowedFactsOf(db, projectId);
  const check = json === null ? null : readAllowedFacts(json);
  return facts.map(({ type: edgeType, ...ends }) => {
    const decide = (side: "source" | "target") => {
      const others = othersOf(ends[side], entities);
      const allowed = others.filter(({ type }) => check?.allowsEnd(edgeType, side, type) ?? true);
      const [only] = allowed;
      const type = only !== undefined && allowed.length === 1 ? only.type : ends[side].type;
      return { type, others: others.slice(0, maxOthers) };
    };
    const decided = { source: decide("source"), target: decide("target") };
    if (inTurn)
      for (const side of ["source", "target"] as const)
        noteEntity(entities, { ...ends[side], type: decided[side].type });
    return decided;
  });
}

/** By normal form. */
type Entities = Map<string, EntityOfName[]>;

function othersOf({ type, key }: EntityKey, entities: Entities): readonly EntityOfName[] {
  const all = entities.get(key) ?? [];
  return all.some((entity) => entity.type === type) ? [] : all;
}

function noteEntity(entities: Entities, { type, key }: EntityKey): void {
  const all = entities.get(key) ?? [];
  if (!all.some((entity) => entity.type === type)) entities.set(key, [...all, { entityId: null, type }]);
}

async function readEntitiesOf(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<Entities> {
  const keys = [...new Set(names.map(({ key }) => key))].filter(isStorableName);
  const rows = await selectFor<{ name_key: string; type: string; entity_id: number }>(db, {
    columns: { name_key: "text" },
    rows: keys.map((key): Row => [key]),
    query: sql`select e.name_key, e.type, e.entity_id from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key and e.entity_id is not null`,
  });
  const entities: Entities = new Map();
  const distinct = new Map(rows.map((row) => [nameOf({ type: row.type, key: row.name_key }), row]));
  for (const row of [...distinct.values()].toSorted((a, b) => a.entity_id - b.entity_id))
    entities.set(row.name_key, [
      ...(entities.get(row.name_key) ?? []),
      { entityId: String(row.entity_id), type: row.type },
    ]);
  return entities;
}
