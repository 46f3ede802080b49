/** Divides the entities that a release without a limit of names has made too large. */
import { sql } from "kysely";
import type { Database } from "../schema.ts";
import { maxNames, resolveEntities } from "./graph-resolve.ts";
import { changeCounts } from "./graph-types.ts";
import { tryLockProject } from "./project-row.ts";

/** Written when no such entity is left, because today's engine makes none. */
const settingName = "large_entities_divided";

/** One entity of a project that no other transaction works on. True when more may be left. */
export async function divideLargeEntity(db: Database): Promise<boolean> {
  const done = await db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", settingName)
    .executeTakeFirst();
  if (done !== undefined) return false;
  const large = await findLarge(db);
  if (large === undefined) {
    await db
      .insertInto("settings")
      .values({ name: settingName, value: "1" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    return false;
  }
  const { project_id: projectId, entity_id: entityId } = large;
  if ((await tryLockProject(db, projectId)) === null) return false;
  const moves = await resolveEntities(db, projectId, { joined: [entityId], former: [], relived: [] });
  const unchanged = { nodes: new Map(), born: new Set<number>(), died: new Set<number>() };
  await changeCounts(db, projectId, { ...unchanged, moves, newEdges: [], lostEdges: [] });
  return moves.length > 0;
}

/** Reads the names of all entities that have several. */
async function findLarge(
  db: Database,
): Promise<{ readonly project_id: string; readonly entity_id: number } | undefined> {
  // The entity's own node is not among them. `<>` matches the condition of the partial index.
  const { rows } = await sql<{
    project_id: string;
    entity_id: number;
  }>`select project_id, entity_id from entities
    where entity_id <> node_id group by project_id, entity_id having count(*) >= ${sql.lit(maxNames)} limit 1`.execute(
    db,
  );
  return rows[0];
}
