/**
 * The graph follows corrections in steps of bounded work. The transaction that writes a correction lists the chunks that it concerns in
 * `outdated_facts`. The one that undoes a correction lists the correction itself, of which later texts may have brought any number of chunks. A
 * step gives the graph what their texts state under the present corrections.
 */
import { sql } from "kysely";
import { type ChunkKey, formatChunkId } from "../../../domain/document.ts";
import type { OutdatedFactsRow } from "../correction-schema.ts";
import type { Database } from "../schema.ts";
import { insertRows, padded } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { type Concerned, listConcerned, ownNames } from "./concerned-chunks.ts";
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
import { changeCounts } from "./graph-types.ts";
import { judgedText, noteJudged } from "./lessons.ts";
import { changeProject } from "./project-row.ts";

/** Limits of one step, for tens of milliseconds of the writer: chunks, and chunks times the corrections of the project. */
const maxChunks = 64;
const maxCorrected = 6_400;
/** An addition has up to 128 names, which are stored anew: one is taken where so many chunks would be. */
const chunksOfAddition = 8;
/** The version of what lists an undone correction, with its number as position. */
const undoneVersion = -1;

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
  const listed = await db
    .selectFrom("outdated_facts")
    .select(["version_id", "position"])
    .where("project_id", "=", projectId)
    .orderBy("version_id")
    .orderBy("position")
    .limit(maxChunks)
    .execute();
  const [first] = listed;
  if (first === undefined) return false;
  const isUndone = first.version_id === undoneVersion;
  const outdated = isUndone ? await readCorrected(db, projectId, first.position) : listed;
  const chunks = fitStep(maxChunks, await countCorrections(db, projectId));
  const isAddition = outdated[0]?.version_id === statedVersion;
  const keys = outdated
    .slice(0, isAddition ? Math.ceil(chunks / chunksOfAddition) : chunks)
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
  // A step ends with fewer of them, whatever the graph has of these.
  if (isUndone && keys.length > 0)
    await sql`delete from corrected_chunks where project_id = ${projectId} and seq = ${first.position}
      and ${matchesKey("corrected_chunks", padded(keys))}`.execute(db);
  const isEnd = isUndone && keys.length === outdated.length && outdated.length < maxChunks;
  const done = isEnd ? [...keys, { versionId: undoneVersion, position: first.position }] : keys;
  await sql`delete from outdated_facts where project_id = ${projectId}
    and ${matchesKey("outdated_facts", padded(done))}`.execute(db);
  return isUndone || outdated.length === maxChunks || keys.length < outdated.length;
}

/** Of the chunks and additions that an undone correction changes. */
async function readCorrected(db: Database, projectId: string, seq: number) {
  return db
    .selectFrom("corrected_chunks")
    .select(["version_id", "position"])
    .where("project_id", "=", projectId)
    .where("seq", "=", seq)
    .orderBy("version_id")
    .orderBy("position")
    .limit(maxChunks)
    .execute();
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
  await list(db, projectId, { version_id: undoneVersion, position: seq });
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

/** Lists what a new correction may change. */
export async function listOutdated(
  db: Database,
  projectId: string,
  { seq, rule, concerned }: NumberedRule & { readonly concerned: Concerned },
): Promise<void> {
  if (rule.kind === "add_property" || rule.kind === "add_relationship") {
    await listAdditions(db, projectId, [seq]);
    return;
  }
  await listConcerned(db, { projectId, rule, concerned });
  // Also those that are not in the graph now: they would be as soon as their ends are.
  if (rule.kind !== "confirm")
    await listAdditions(db, projectId, await findAdditions(db, projectId, ownNames(rule)));
}

async function listAdditions(db: Database, projectId: string, seqs: readonly number[]): Promise<void> {
  for (const seq of seqs) await list(db, projectId, { version_id: statedVersion, position: seq });
}

async function list(
  db: Database,
  projectId: string,
  entry: Pick<OutdatedFactsRow, "version_id" | "position">,
): Promise<void> {
  await db
    .insertInto("outdated_facts")
    .values({ project_id: projectId, ...entry })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
