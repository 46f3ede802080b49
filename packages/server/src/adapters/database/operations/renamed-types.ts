/** Corrections follow the types that the ontology to which their project is moved has other names for. */
import { sql } from "kysely";
import type { CorrectionRule } from "../../../domain/correction.ts";
import { createRenaming, presentRule, type TypeNames } from "../../../domain/renamed-types.ts";
import type { CorrectionRow } from "../correction-schema.ts";
import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { statedVersion } from "./correction-additions.ts";
import type { LockedProject } from "./project-row.ts";
import { parseRenamed } from "./reached-rules.ts";
import { storeRuleNames } from "./rule-names.ts";

/** Corrections that are read at once: on PostgreSQL the main thread parses them. */
const pageSize = 16;

interface Renamed extends Pick<CorrectionRow, "seq" | "renamed_types"> {
  /** By the names that its types have then. */
  readonly rule: CorrectionRule;
  /** By which its texts grow. */
  readonly bytes: number;
}

/** What a move changes of the corrections; null: they would have more than `maxBytes`. */
export async function planRenames(
  db: Database,
  projectId: string,
  { names, maxBytes }: { readonly names: TypeNames; readonly maxBytes: number },
): Promise<readonly Renamed[] | null> {
  const rename = createRenaming(names);
  const renamed: Renamed[] = [];
  let bytes = 0;
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom("corrections")
      .select(["seq", "rule", "renamed_types", "byte_length"])
      .where("project_id", "=", projectId)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(pageSize)
      .execute();
    for (const row of rows) {
      const given = JSON.parse(row.rule) as CorrectionRule; // Only `addCorrections` writes it.
      const types = rename(given, parseRenamed(row));
      const json = types.nodes.length + types.edges.length === 0 ? null : JSON.stringify(types);
      const grown = Buffer.byteLength(json ?? "") - Buffer.byteLength(row.renamed_types ?? "");
      bytes += row.byte_length + grown;
      if (json !== row.renamed_types)
        renamed.push({
          seq: row.seq,
          renamed_types: json,
          rule: presentRule(given, types),
          bytes: grown,
        });
    }
    if (rows.length < pageSize) break;
    after = rows.at(-1)?.seq ?? after;
  }
  return renamed.length > 0 && bytes > maxBytes ? null : renamed;
}

/** The documents are to be read again. */
export async function writeRenamed(
  db: Database,
  { projectId, accountId }: LockedProject,
  renamed: readonly Renamed[],
): Promise<void> {
  if (renamed.length === 0) return;
  for (const { seq, renamed_types, bytes } of renamed)
    await db
      .updateTable("corrections")
      .set((eb) => ({ renamed_types, byte_length: eb("byte_length", "+", bytes) }))
      .where("project_id", "=", projectId)
      .where("seq", "=", seq)
      .execute();
  await storeRuleNames(db, projectId, renamed);
  const storedBytes = renamed.reduce((sum, each) => sum + each.bytes, 0);
  await changeAccount(db, accountId, { storedBytes });
}

/** Additions, which no document states, follow a move in steps: the ontology may lack what they name. */
export async function listAdditions(db: Database, projectId: string): Promise<void> {
  await sql`insert into outdated_facts (project_id, version_id, position)
    select project_id, ${sql.lit(statedVersion)}, seq from corrections
    where project_id = ${projectId} and kind in ('add_property', 'add_relationship')
    on conflict do nothing`.execute(db);
}
