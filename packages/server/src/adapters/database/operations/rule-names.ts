/** By which names the rules of corrections are found. */
import type { EntityKey } from "../../../domain/graph.ts";
import type { CorrectionNameRow, NameRole } from "../correction-schema.ts";
import type { Database } from "../schema.ts";
import { insertRows, partsOf } from "./bulk.ts";
import type { NumberedRule } from "./correct-facts.ts";
import { nameOf } from "./graph-facts.ts";
import { allTargetsOf } from "./reached-rules.ts";

/** Rules whose rows are replaced by one statement. */
const maxReplaced = 16;

export interface RoleNames {
  readonly seq: number;
  readonly role: NameRole;
  readonly names: readonly EntityKey[];
  readonly shown?: string;
}

/** In place of those that they had. The ends of additions are named when the graph follows. */
export async function storeRuleNames(
  db: Database,
  projectId: string,
  rules: readonly NumberedRule[],
): Promise<void> {
  for (const part of partsOf(rules, maxReplaced)) {
    const seqs = part.map(({ seq }) => seq);
    await db
      .deleteFrom("correction_names")
      .where("project_id", "=", projectId)
      .where("seq", "in", seqs)
      .where("role", "in", ["match", "shown"])
      .execute();
    await writeRuleNames(db, projectId, part);
  }
}

export async function writeRuleNames(
  db: Database,
  projectId: string,
  rules: readonly NumberedRule[],
): Promise<void> {
  const roles = rules.flatMap(({ seq, rule }): readonly RoleNames[] => {
    switch (rule.kind) {
      case "name":
        return [
          { seq, role: "match", names: rule.names },
          { seq, role: "shown", names: allTargetsOf(rule), shown: rule.shown },
        ];
      case "property":
        return [{ seq, role: "match", names: rule.names }];
      case "reject":
      case "confirm":
        return [{ seq, role: "match", names: rule.sources }];
      default:
        return [];
    }
  });
  await writeNames(db, projectId, roles);
}

export async function writeNames(
  db: Database,
  projectId: string,
  roles: readonly RoleNames[],
): Promise<void> {
  const rows = roles.flatMap(({ seq, role, names, shown = null }) => {
    const distinct = new Map(names.map((name) => [nameOf(name), name]));
    return [...distinct.values()].map(({ type, key }, place): CorrectionNameRow => {
      return { project_id: projectId, name_key: key, type, role, seq, place, shown };
    });
  });
  await insertRows(db, "correction_names", rows);
}
