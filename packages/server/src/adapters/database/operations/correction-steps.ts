/**
 * The graph follows corrections in steps of bounded work. The transaction that writes or undoes a correction lists the chunks that it
 * concerns in `outdated_facts`; a step gives the graph what their texts state under the present corrections.
 */
import { type RawBuilder, sql } from "kysely";
import type { Addition, CorrectionRule } from "../../../domain/correction.ts";
import { type ChunkKey, formatChunkId } from "../../../domain/document.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import type { Database } from "../schema.ts";
import { insertRows, padded } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import type { NumberedRule } from "./correct-facts.ts";
import {
  clearEnds,
  findAdditions,
  followAdditions,
  nameEnds,
  statedVersion,
} from "./correction-additions.ts";
import { type CorrectedChunk, correctChunks } from "./correction-rules.ts";
import type { FactsOfChunk } from "./graph-evidence.ts";
import type { StoredFacts } from "./graph-facts.ts";
import { changeGraph } from "./graph-ledger.ts";
import { type Row, selectFor } from "./graph-sql.ts";
import { changeCounts } from "./graph-types.ts";
import { judgedText, noteJudged } from "./lessons.ts";
import { changeProject } from "./project-row.ts";

/** Limits of one step, for tens of milliseconds of the writer: chunks, and chunks times the corrections of the project. */
const maxChunks = 64;
const maxCorrected = 6_400;
/** Of one step: each has up to 128 names, which are stored anew. */
const maxAdditions = 8;

/** The facts of chunks that enter the graph, as they are under the corrections, at most `fitStep` chunks. */
export async function correctNew(
  db: Database,
  projectId: string,
  chunks: readonly FactsOfChunk[],
): Promise<readonly FactsOfChunk[]> {
  const corrected = await correctChunks(db, projectId, chunks);
  const changed = corrected.flatMap((chunk, at) =>
    isChanged(chunk) ? [{ ...chunk, original: chunks[at]?.facts ?? chunk.facts }] : [],
  );
  await storeCorrected(db, projectId, changed);
  return corrected;
}

/** One step. True when more may be left. The graph has all chunks that are listed. */
export async function correctOutdated(db: Database, projectId: string): Promise<boolean> {
  const outdated = await db
    .selectFrom("outdated_facts")
    .select(["version_id", "position"])
    .where("project_id", "=", projectId)
    .orderBy("version_id")
    .orderBy("position")
    .limit(maxChunks)
    .execute();
  if (outdated.length === 0) return false;
  const chunks = fitStep(maxChunks, await countCorrections(db, projectId));
  const listed = outdated.slice(0, chunks);
  const isAddition = listed[0]?.version_id === statedVersion;
  const keys = listed
    .slice(0, isAddition ? maxAdditions : chunks)
    .map((row) => ({ versionId: row.version_id, position: row.position }));
  await correctAgain(
    db,
    projectId,
    keys.filter(({ versionId }) => versionId !== statedVersion),
  );
  const additions = keys.flatMap(({ versionId, position }) => (versionId === statedVersion ? position : []));
  await nameEnds(db, projectId, additions);
  await followStated(db, projectId, additions);
  await changeProject(db, projectId, { index: true });
  await sql`delete from outdated_facts where project_id = ${projectId}
    and ${matchesKey("outdated_facts", padded(keys))}`.execute(db);
  return listed.length === chunks || keys.length < listed.length;
}

/** How many of `most` chunks a step takes: each may be changed by every correction. */
export function fitStep(most: number, corrections: number): number {
  return Math.max(1, Math.min(most, Math.floor(maxCorrected / Math.max(1, corrections))));
}

/** Counted up to what leaves one chunk for a step. */
export async function countCorrections(db: Database, projectId: string): Promise<number> {
  const { rows } = await sql<{ corrections: number }>`
    select count(*) as corrections from (
      select 1 from corrections where project_id = ${projectId} limit ${maxCorrected}) as counted`.execute(
    db,
  );
  return rows[0]?.corrections ?? 0;
}

/** `followAdditions`, where no names change. */
async function followStated(db: Database, projectId: string, seqs: readonly number[]): Promise<void> {
  const edges = await followAdditions(db, projectId, seqs);
  const unchanged = { nodes: new Map(), born: new Set<number>(), died: new Set<number>(), moves: [] };
  await changeCounts(db, projectId, { ...unchanged, ...edges });
}

/** Lists what an undone correction changes. An addition goes at once: without its names it would not be found when its ends do. */
export async function undoRule(db: Database, projectId: string, seq: number): Promise<void> {
  await listCorrected(db, projectId, seq);
  await clearEnds(db, projectId, seq);
  await db
    .deleteFrom("correction_names")
    .where("project_id", "=", projectId)
    .where("seq", "=", seq)
    .execute();
  await followStated(db, projectId, [seq]);
}

async function correctAgain(db: Database, projectId: string, keys: readonly ChunkKey[]): Promise<void> {
  if (keys.length === 0) return;
  const { rows } = await sql<{
    version_id: number;
    position: number;
    facts: string;
    original: string | null;
  }>`
    select version_id, position, facts, original from chunk_facts
    where project_id = ${projectId} and ${matchesKey("chunk_facts", padded(keys))}
    order by version_id, position`.execute(db);
  const before = new Map(rows.map((row) => [`${row.version_id}.${row.position}`, row]));
  const originals = rows.map((row): FactsOfChunk => {
    // Only `writeEvidence` and `storeCorrected` write these columns.
    const facts = JSON.parse(row.original ?? row.facts) as StoredFacts;
    return { versionId: row.version_id, position: row.position, facts };
  });
  const corrected = await correctChunks(db, projectId, originals);
  const changed = corrected.filter(
    (chunk) => before.get(formatChunkId(chunk))?.facts !== JSON.stringify(chunk.facts),
  );
  await changeGraph(db, {
    projectId,
    added: changed,
    removed: changed.map((chunk) => ({
      ...chunk,
      facts: JSON.parse(before.get(formatChunkId(chunk))?.facts ?? "") as StoredFacts, // As above.
    })),
  });
  await forgetCorrected(db, projectId, keys);
  const isStored = (chunk: CorrectedChunk) =>
    isChanged(chunk) || before.get(formatChunkId(chunk))?.original != null;
  await storeCorrected(
    db,
    projectId,
    corrected
      .map((chunk, at) => ({ ...chunk, original: originals[at]?.facts ?? chunk.facts }))
      .filter(isStored),
  );
}

const isChanged = ({ applied, taught }: Pick<CorrectedChunk, "applied" | "taught">) =>
  applied.length > 0 || taught.length > 0;

/** Removes what is known of the corrections of chunks. */
export async function forgetCorrected(
  db: Database,
  projectId: string,
  keys: readonly ChunkKey[],
): Promise<void> {
  if (keys.length === 0) return;
  for (const table of ["corrected_chunks", "taught_chunks"] as const)
    await sql`delete from ${sql.table(table)} where project_id = ${projectId}
      and ${matchesKey(table, padded(keys))}`.execute(db);
  const judged = await sql<{ type: string }>`delete from judged_facts where project_id = ${projectId}
    and ${matchesKey("judged_facts", padded(keys))} returning type`.execute(db);
  const types = judged.rows.map(({ type }) => type);
  await noteJudged(db, projectId, types);
}

/** Writes what the graph has of the chunks, which corrections change it, and what these are on. `original`: what the text states. */
async function storeCorrected(
  db: Database,
  projectId: string,
  chunks: readonly (CorrectedChunk & { readonly original: StoredFacts })[],
): Promise<void> {
  for (const { versionId, position, facts, original, ...corrected } of chunks) {
    await db
      .updateTable("chunk_facts")
      .set({
        facts: JSON.stringify(facts),
        original: isChanged(corrected) ? JSON.stringify(original) : null,
      })
      .where("project_id", "=", projectId)
      .where("version_id", "=", versionId)
      .where("position", "=", position)
      .execute();
  }
  await insertRows(
    db,
    "corrected_chunks",
    chunks.flatMap(({ versionId, position, applied }) =>
      applied.map((seq) => ({ project_id: projectId, version_id: versionId, position, seq })),
    ),
  );
  await insertRows(
    db,
    "taught_chunks",
    chunks.flatMap(({ versionId, position, taught }) =>
      taught.map((each) => ({ project_id: projectId, version_id: versionId, position, ...each })),
    ),
  );
  const judged = chunks.flatMap(({ versionId, position, judged: own }) =>
    own.map((each) => ({
      ...{ project_id: projectId, version_id: versionId, position },
      ...{ seq: each.seq, type: each.type, judged: judgedText(each) },
    })),
  );
  await insertRows(db, "judged_facts", judged);
  await noteJudged(
    db,
    projectId,
    judged.map(({ type }) => type),
  );
}

/** A rule that changes facts of texts. */
type FactRule = Exclude<CorrectionRule, Addition>;

/** Lists what a new correction may change. */
export async function listOutdated(
  db: Database,
  projectId: string,
  { seq, rule }: NumberedRule,
): Promise<void> {
  if (rule.kind === "add_property" || rule.kind === "add_relationship") {
    await listAdditions(db, projectId, [seq]);
    return;
  }
  await selectConcerned(
    db,
    { projectId, rule },
    (places) => sql`insert into outdated_facts (project_id, version_id, position)
      select cast(${projectId} as text), version_id, position from (${places}) as concerned
      where true on conflict do nothing`,
  );
  // Also those that are not in the graph now: they would be as soon as their ends are.
  if (rule.kind !== "confirm")
    await listAdditions(db, projectId, await findAdditions(db, projectId, ownNames(rule)));
}

/** The number of chunks that a correction concerns, counted up to one more than `limit`. */
export async function countConcerned(
  db: Database,
  { projectId, rule, limit }: { projectId: string; rule: CorrectionRule; limit: number },
): Promise<number> {
  if (rule.kind === "add_property" || rule.kind === "add_relationship") return 1;
  const counted = await selectConcerned<{ chunks: number }>(
    db,
    { projectId, rule },
    (places) =>
      sql`select count(*) as chunks from (select 1 from (${places}) as concerned limit ${limit + 1}) as counted`,
  );
  return counted.reduce((sum, { chunks }) => sum + chunks, 0);
}

async function listCorrected(db: Database, projectId: string, seq: number): Promise<void> {
  await sql`insert into outdated_facts (project_id, version_id, position)
    select project_id, version_id, position from corrected_chunks
    where project_id = ${projectId} and seq = ${seq} on conflict do nothing`.execute(db);
}

async function listAdditions(db: Database, projectId: string, seqs: readonly number[]): Promise<void> {
  for (const seq of seqs)
    await db
      .insertInto("outdated_facts")
      .values({ project_id: projectId, version_id: statedVersion, position: seq })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

async function selectConcerned<Selected>(
  db: Database,
  { projectId, rule }: { projectId: string; rule: FactRule },
  statement: (places: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<readonly Selected[]> {
  const nodes = await readNodes(db, projectId, ownNames(rule));
  const query = statement(placesOf(rule));
  if (rule.kind === "name" || rule.kind === "property")
    return selectFor<Selected>(db, {
      columns: { node_id: "bigint" },
      rows: nodes.map((node): Row => [node]),
      query,
    });
  const targets = await readNodesOfAnyType(db, projectId, rule.targets);
  const rows = nodes.flatMap((node) => targets.map((target): Row => [node, target]));
  return selectFor<Selected>(db, { columns: { node_id: "bigint", target_id: "bigint" }, rows, query });
}

function ownNames(rule: FactRule): readonly EntityKey[] {
  return rule.kind === "name" || rule.kind === "property" ? rule.names : rule.sources;
}

async function readNodes(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<readonly number[]> {
  const rows = await selectFor<{ node_id: number }>(db, {
    columns: { name_key: "text", type: "text" },
    rows: names.map(({ key, type }): Row => [key, type]),
    query: sql`select e.node_id from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key and e.type = k.type`,
  });
  return [...new Set(rows.map((row) => row.node_id))];
}

async function readNodesOfAnyType(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<readonly number[]> {
  const rows = await selectFor<{ node_id: number }>(db, {
    columns: { name_key: "text" },
    rows: [...new Set(names.map(({ key }) => key))].map((key): Row => [key]),
    query: sql`select e.node_id from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key`,
  });
  return rows.map((row) => row.node_id);
}

/** The chunks of which the graph has facts with one of the nodes, or pairs of nodes, in `keys` that the rule can change. */
function placesOf(rule: FactRule): RawBuilder<unknown> {
  const from = (table: string, condition: RawBuilder<unknown>) =>
    sql`select p.version_id, p.position from keys as k cross join ${sql.table(table)} as p where ${condition}`;
  if (rule.kind === "property")
    return from("property_places", sql`p.node_id = k.node_id and p.property = ${rule.property}`);
  if (rule.kind !== "name") {
    const stated = sql`p.source_node = k.node_id and p.target_node = k.target_id and p.type = ${rule.type}`;
    return sql`${from("relationship_places", stated)} union ${from("proposal_places", stated)}`;
  }
  // A chunk can name what it does not mention: in a proposal, and as a name that a rule derives from another.
  const derived = (own: string, other: string) => sql`
    select p.version_id, p.position from keys as k cross join entity_joins as j cross join entity_places as p
    where ${sql.ref(own)} = k.node_id and j.origin = 'rule' and p.node_id = ${sql.ref(other)}`;
  return sql`${from("entity_places", sql`p.node_id = k.node_id`)}
    union ${from("proposal_places", sql`p.source_node = k.node_id`)}
    union ${from("proposal_places", sql`p.target_node = k.node_id`)}
    union ${derived("j.node_a", "j.node_b")} union ${derived("j.node_b", "j.node_a")}`;
}
