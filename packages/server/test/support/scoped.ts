/** Which statements read or change rows of projects without naming the project. */
import type pg from "pg";

/** After a table's name they are no alias. */
const KEYWORDS = new Set(
  "as cross for full group having inner join left limit on order returning right set union using values where".split(
    " ",
  ),
);
const TABLE = /\b(?:from|join|update)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/giu;

/** The tables whose rows belong to a project. */
export async function tablesOfProjects(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ table_name: string }>(
    "select table_name from information_schema.columns where column_name = 'project_id' and table_schema = current_schema()",
  );
  return new Set(rows.map((row) => row.table_name));
}

/** The tables in a statement of which no condition names the project; under an alias, that of the alias. */
export function unscopedTables(statement: string, tables: ReadonlySet<string>): readonly string[] {
  const text = statement.replace(/'[^']*'/gu, "''");
  const found: string[] = [];
  for (const [, table = "", next = ""] of text.matchAll(TABLE)) {
    if (!tables.has(table)) continue;
    const name = next === "" || KEYWORDS.has(next.toLowerCase()) ? table : next;
    const qualified = new RegExp(`"?\\b${name}"?\\."?project_id"?`, "u");
    const isAlone = name === table && /(?<![."\w])"?project_id"?/u.test(text);
    if (!qualified.test(text) && !isAlone) found.push(name === table ? table : `${table} as ${name}`);
  }
  return found;
}
