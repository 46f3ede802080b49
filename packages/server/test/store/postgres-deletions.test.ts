/** PostgreSQL takes a project of which it has no statistics for one row; what a deletion compares must grow no faster than what it deletes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import pg from "pg";
import { deleteFrom } from "../../src/adapters/database/operations/graph-sql.ts";
import type { Schema } from "../../src/adapters/database/schema.ts";
import { usePostgres } from "../support/postgres.ts";

const databases = usePostgres();
const OTHERS = 20_000;
const MAX_RATIO = 6;

interface Plan {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** The rows that the steps of a plan read or compared. */
function workOf(plan: Plan): number {
  const rows =
    plan["Actual Rows"] + (plan["Rows Removed by Join Filter"] ?? 0) + (plan["Rows Removed by Filter"] ?? 0);
  return rows * plan["Actual Loops"] + (plan.Plans ?? []).reduce((sum, child) => sum + workOf(child), 0);
}

/** Of places of as many nodes, or of one that is in every chunk. */
type Kind = "many nodes" | "a hub";

function compileDeletion(
  projectId: string,
  { size, kind }: { readonly size: number; readonly kind: Kind },
): Promise<readonly CompiledQuery[]> {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void queries.push(query),
  });
  const rows = Array.from({ length: size }, (_, at) => (kind === "a hub" ? [7, 1, at] : [at, 1, 0]));
  const columns = { node_id: "bigint", version_id: "bigint", position: "bigint" } as const;
  return deleteFrom(db, projectId, { table: "entity_places", columns, rows }).then(() => queries);
}

for (const kind of ["many nodes", "a hub"] as const)
  test(`a deletion of places of ${kind} in a new project compares rows in proportion to what it deletes`, async (context) => {
    const client = new pg.Client({ connectionString: await databases.create() });
    await client.connect();
    context.after(() => client.end());
    await client.query("alter table entity_places set (autovacuum_enabled = false)");
    const place = kind === "a hub" ? "7, 1, n" : "n, 1, 0";
    const fill = (projectId: string, size: number) =>
      client.query(
        `insert into entity_places (project_id, node_id, version_id, position, forms)
          select $1, ${place}, '' from generate_series(0, ${size - 1}) as n`,
        [projectId],
      );
    await fill("prj_other", OTHERS);
    await client.query("analyze entity_places");
    const deleteAll = async (projectId: string, size: number) => {
      await fill(projectId, size);
      let work = 0;
      for (const { sql, parameters } of await compileDeletion(projectId, { size, kind })) {
        const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters]);
        work += workOf(rows[0]["QUERY PLAN"][0].Plan);
      }
      const left = await client.query("select 1 from entity_places where project_id = $1", [projectId]);
      assert.equal(left.rowCount, 0);
      return work;
    };
    const [one, four] = [await deleteAll("prj_one", 600), await deleteAll("prj_four", 2400)];
    context.diagnostic(`rows of 600 and 2,400: ${one}, ${four}`);
    assert.ok(four / one < MAX_RATIO, `${four} / ${one}`);
  });
