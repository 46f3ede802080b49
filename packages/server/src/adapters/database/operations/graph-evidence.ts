/** The facts that chunks contribute to the graph. They are written and deleted together with the chunks. */
import { sql } from "kysely";
import type { UnfitFact } from "../../../domain/graph.ts";
import type { CommitBatch } from "../../../ports/store.ts";
import type { ChunkFactsRow } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { insertRows, padded, partsOf } from "./bulk.ts";
import { type StoredFacts, toStored } from "./graph-facts.ts";
import { storableText } from "./graph-text.ts";

/** Every row belongs to one chunk: `project_id`, `version_id`, `position`. */
export const evidenceTables = ["chunk_facts", "unfit_facts"] as const;

const maxNameLength = 300;
const maxQuoteLength = 1_000;
const maxListed = 512;

/** The chunks of one version from position `from` on. */
export interface VersionPart {
  readonly versionId: number;
  readonly from: number;
}

export interface FactsOfChunk {
  readonly versionId: number;
  readonly position: number;
  readonly facts: StoredFacts;
}

/** Writes the facts of the batch's chunks. They are not visible in the graph until `changeGraph`. */
export async function writeEvidence(db: Database, { projectId, parts }: CommitBatch): Promise<void> {
  const chunks = parts.flatMap(({ versionId, graph = [] }) =>
    graph.flatMap(({ position, facts }) =>
      facts === undefined
        ? []
        : [{ place: { project_id: projectId, version_id: versionId, position }, facts }],
    ),
  );
  await insertRows(
    db,
    "chunk_facts",
    chunks.flatMap(({ place, facts }) => {
      const stored = toStored(facts);
      return stored === null ? [] : [{ ...place, facts: JSON.stringify(stored) }];
    }),
  );
  await insertRows(
    db,
    "unfit_facts",
    chunks.flatMap(({ place, facts }) => unfitRows(facts.unfit).map((row) => ({ ...place, ...row }))),
  );
}

/** Ordered by version and position. */
export async function readEvidence(
  db: Database,
  projectId: string,
  parts: readonly VersionPart[],
): Promise<readonly FactsOfChunk[]> {
  const rows: FactsRow[] = [];
  for (const list of partsOf(
    parts.filter(({ from }) => from === 0).map(({ versionId }) => versionId),
    maxListed,
  )) {
    const found = await sql<FactsRow>`
      select version_id, position, facts from chunk_facts
      where project_id = ${projectId} and version_id in (${sql.join(padded(list))})`.execute(db);
    rows.push(...found.rows);
  }
  // For later batches of a document: does not read the facts of earlier batches again.
  for (const { versionId, from } of parts.filter((part) => part.from > 0)) {
    const found = await sql<FactsRow>`
      select version_id, position, facts from chunk_facts
      where project_id = ${projectId} and version_id = ${versionId} and position >= ${from}`.execute(db);
    rows.push(...found.rows);
  }
  return rows.map(toFacts).sort((a, b) => a.versionId - b.versionId || a.position - b.position);
}

export type FactsRow = Omit<ChunkFactsRow, "project_id">;

export function toFacts(row: FactsRow): FactsOfChunk {
  const facts = JSON.parse(row.facts) as StoredFacts; // Only `writeEvidence` writes this column.
  return { versionId: row.version_id, position: row.position, facts };
}

export async function removeEvidence(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<void> {
  for (const table of evidenceTables) {
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where("version_id", "in", padded(versionIds))
      .execute();
  }
}

function unfitRows(unfit: readonly UnfitFact[]) {
  const rows = unfit.map((fact) => ({
    kind: fact.kind,
    source_type: storableText(fact.sourceType, maxNameLength),
    name: storableText(fact.name, maxNameLength),
    target_type: storableText(fact.targetType, maxNameLength),
    count: Math.max(1, Math.round(fact.count)),
    example: storableText(fact.example, maxQuoteLength),
  }));
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify([row.kind, row.source_type, row.name, row.target_type]),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((row) => ({ ...row, count: group.reduce((sum, { count }) => sum + count, 0) })),
  );
}
