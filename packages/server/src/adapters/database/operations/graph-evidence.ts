/** The facts that chunks contribute to the graph. They are written and deleted together with the chunks. */
import { sql } from "kysely";
import { type ChunkKey, formatChunkId } from "../../../domain/document.ts";
import type { UnfitFact } from "../../../domain/graph.ts";
import type { CommitBatch } from "../../../ports/store.ts";
import type { ChunkFactsRow } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { insertRows, padded } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { type StoredFacts, toStored } from "./graph-facts.ts";
import { storableText } from "./graph-text.ts";

/** Every row belongs to one chunk: `project_id`, `version_id`, `position`. */
export const evidenceTables = ["chunk_facts", "unfit_facts"] as const;

const maxNameLength = 300;
const maxQuoteLength = 1_000;

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

/** The stored facts of these chunks, by chunk id, whether the chunks are visible or not. */
export async function readFactRows(
  db: Database,
  projectId: string,
  keys: readonly ChunkKey[],
): Promise<ReadonlyMap<string, FactsRow>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<FactsRow>`
    select version_id, position, facts from chunk_facts
    where project_id = ${projectId} and ${matchesKey("chunk_facts", padded(keys))}`.execute(db);
  return new Map(
    rows.map((row) => [formatChunkId({ versionId: row.version_id, position: row.position }), row]),
  );
}

export type FactsRow = Omit<ChunkFactsRow, "project_id" | "original">;

export function toFacts(row: FactsRow): FactsOfChunk {
  const facts = JSON.parse(row.facts) as StoredFacts; // Only `writeEvidence` writes this column.
  return { versionId: row.version_id, position: row.position, facts };
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
