/**
 * Finds the corrections whose changes are not to be seen in the graph. Chunks have names that they do not mention, in proposals and as forms that
 * rules derive from other names, and corrections change these with the rest. Nothing in the graph is of such a name unless an entity has it.
 */
import { sql } from "kysely";
import { targetsOf } from "../../../domain/correction.ts";
import type { Database } from "../schema.ts";
import type { NumberedRule } from "./correct-facts.ts";
import { statedVersion } from "./correction-additions.ts";
import { readEntityIds } from "./graph-entities.ts";
import { nameOf } from "./graph-facts.ts";
import { allTargetsOf, readReached, readRulesBySeq } from "./reached-rules.ts";

/** The numbers of the corrections that give names which, under those that were made later, no entity of the graph has. */
export async function findUnseen(db: Database, projectId: string): Promise<ReadonlySet<number>> {
  const own = await readRulesBySeq(db, projectId, await findWithoutEntity(db, projectId));
  if (own.length === 0) return new Set();
  const given = own.flatMap(({ rule }) => (rule.kind === "name" ? allTargetsOf(rule) : []));
  const { rules, names } = await readReached(db, projectId, { names: given, direction: "forward" });
  const seen = new Set((await readEntityIds(db, projectId, names)).keys());
  const unseen = new Set(own.map(({ seq }) => seq));
  const distinct = new Map([...own, ...rules].map((each) => [each.seq, each]));
  for (const each of [...distinct.values()].toSorted((a, b) => b.seq - a.seq))
    if (leadsTo(each, seen)) unseen.delete(each.seq);
  return unseen;
}

/** Those of which no name that they give is an entity's. */
async function findWithoutEntity(db: Database, projectId: string): Promise<readonly number[]> {
  const { rows } = await sql<{ seq: number }>`select c.seq from corrections as c
    where c.project_id = ${projectId} and c.kind in ('rename', 'retype', 'merge', 'split')
      and exists (select 1 from corrected_chunks as e
        where e.project_id = ${projectId} and e.seq = c.seq and e.version_id > ${sql.lit(statedVersion)})
      and not exists (select 1 from correction_names as n cross join entities as t
        where n.project_id = ${projectId} and n.seq = c.seq and n.role = 'shown'
          and t.project_id = ${projectId} and t.name_key = n.name_key and t.type = n.type and t.entity_id is not null)
    order by c.seq`.execute(db);
  return rows.map(({ seq }) => seq);
}

/** Whether one of the names is given one of the `seen`, to which it is added. */
function leadsTo({ rule }: NumberedRule, seen: Set<string>): boolean {
  if (rule.kind !== "name") return false;
  const leading = rule.names.filter((name) => targetsOf(rule, name).some((to) => seen.has(nameOf(to))));
  for (const name of leading) seen.add(nameOf(name));
  return leading.length > 0;
}
