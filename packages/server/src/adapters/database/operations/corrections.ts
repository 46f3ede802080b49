import { sql } from "kysely";
import {
  type Correction,
  type CorrectionChange,
  type CorrectionKind,
  type CorrectionRule,
  countNames,
  MAX_NAMES,
} from "../../../domain/correction.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import {
  createRenaming,
  NOTHING_RENAMED,
  presentChange,
  presentRule,
  type RenamedTypes,
} from "../../../domain/renamed-types.ts";
import {
  type AddCorrections,
  type AddCorrectionsOutcome,
  type CorrectionList,
  type GivenChange,
  MAX_CONCERNED,
  MAX_COUNTED_CHUNKS,
  MAX_PAIRS,
  type NamesOf,
} from "../../../ports/correction-store.ts";
import type { Page } from "../../../ports/store.ts";
import type { CorrectionRow } from "../correction-schema.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { padded } from "./bulk.ts";
import { type Concerned, countConcerned, findConcerned } from "./concerned-chunks.ts";
import type { NumberedRule } from "./correct-facts.ts";
import { statedVersion } from "./correction-additions.ts";
import { listOutdated, undoRule } from "./correction-steps.ts";
import { nameOf } from "./graph-facts.ts";
import { type Row, selectFor } from "./graph-sql.ts";
import { isStorableName } from "./graph-text.ts";
import { isLater, joinVersion } from "./later-evidence.ts";
import { readTaught } from "./lessons.ts";
import { isBoundTo, type LockedProject, lockProject } from "./project-row.ts";
import { parseRenamed, type Reached, readReached } from "./reached-rules.ts";
import { writeRuleNames } from "./rule-names.ts";
import { findUnseen } from "./unseen-names.ts";

export async function addCorrections(db: Database, input: AddCorrections): Promise<AddCorrectionsOutcome> {
  const { projectId } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  if (!(await isBoundTo(db, projectId, input.follows))) return { kind: "bound_otherwise" };
  const rename = createRenaming(input.names ?? { nodes: [], edges: [] });
  const corrections = input.corrections.map((each) => {
    const types = rename(each.rule, NOTHING_RENAMED);
    return { ...each, given: each.rule, types, rule: presentRule(each.rule, types) };
  });
  const known = await db
    .selectFrom("corrections")
    .select((eb) => [
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number | null>("byte_length").as("bytes"),
      eb.fn.sum<number | null>("name_count").as("names"),
    ])
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  if (known.count + corrections.length > input.maxPerProject) return { kind: "too_many" };
  const account = await lockAccount(db, project.accountId);
  const rows = corrections.map((correction, at) => rowOf(project, correction, account.next_seq + at));
  const bytes = rows.reduce((sum, row) => sum + row.byte_length, 0);
  if (Number(known.bytes ?? 0) + bytes > input.maxBytesPerProject) return { kind: "too_long" };
  const names = rows.reduce((sum, row) => sum + (row.name_count ?? 0), 0);
  if (Number(known.names ?? 0) + names > input.maxNamesPerProject) return { kind: "too_many_names" };
  if (input.maxStoredBytes !== null && account.stored_bytes + bytes > input.maxStoredBytes)
    return { kind: "too_many_bytes" };
  const concerned: Concerned[] = [];
  let [chunks, pairs] = [0, 0];
  for (const { rule } of corrections) {
    const found = await findConcerned(db, { projectId, rule, maxPairs: MAX_PAIRS - pairs });
    if (found === null) return { kind: "too_many_pairs" };
    pairs += found.pairs;
    chunks += await countConcerned(db, { projectId, rule, concerned: found, limit: MAX_CONCERNED });
    if (chunks > MAX_CONCERNED) return { kind: "too_many_chunks" };
    concerned.push(found);
  }
  for (const [at, row] of rows.entries()) {
    await db.insertInto("corrections").values(row).execute();
    const [rule, found] = [corrections[at]?.rule, concerned[at]];
    if (rule === undefined || found === undefined) throw new Error("Each row is of a correction.");
    await writeRule(db, projectId, { seq: row.seq, rule, concerned: found });
  }
  await changeAccount(db, project.accountId, { seqs: rows.length, storedBytes: bytes });
  return { kind: "accepted" };
}

function rowOf(
  project: LockedProject,
  correction: AddCorrections["corrections"][number] & {
    readonly given: CorrectionRule;
    readonly types: RenamedTypes;
  },
  seq: number,
): CorrectionRow {
  const { given, types } = correction;
  const texts = {
    change: JSON.stringify(correction.change),
    rule: JSON.stringify(given),
    reason: correction.reason,
    renamed_types: types.nodes.length + types.edges.length === 0 ? null : JSON.stringify(types),
  };
  return {
    project_id: project.projectId,
    seq,
    correction_id: correction.correctionId,
    kind: correction.change.kind,
    ...texts,
    account_id: correction.accountId,
    key_id: correction.keyId,
    created_at: correction.createdAt,
    first_later_version: project.nextVersionId,
    byte_length: Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0),
    name_count: countNames(given),
  };
}

/** Stores by which names the rule is found, and lists what it concerns. */
async function writeRule(
  db: Database,
  projectId: string,
  { seq, rule, concerned }: NumberedRule & { readonly concerned: Concerned },
): Promise<void> {
  await writeRuleNames(db, projectId, [{ seq, rule }]);
  await listOutdated(db, projectId, { seq, rule, concerned });
}

export async function undoCorrection(
  db: Database,
  { projectId, correctionId }: { projectId: string; correctionId: string },
): Promise<boolean> {
  const project = await lockProject(db, projectId);
  if (project === null) return false;
  const row = await db
    .deleteFrom("corrections")
    .where("project_id", "=", projectId)
    .where("correction_id", "=", correctionId)
    .returning(["seq", "byte_length"])
    .executeTakeFirst();
  if (row === undefined) return false;
  await undoRule(db, projectId, row.seq);
  await changeAccount(db, project.accountId, { storedBytes: -row.byte_length });
  return true;
}

export async function listCorrections(
  db: Database,
  input: {
    projectId: string;
    kind: CorrectionKind | null;
    withoutEvidence: boolean;
    newestFirst: boolean;
    page: Page;
  },
): Promise<CorrectionList> {
  const { projectId, kind, withoutEvidence, newestFirst, page } = input;
  const unseen = await findUnseen(db, projectId);
  const isUnseen = unseen.size === 0 ? sql`` : sql`or c.seq in (${sql.join(padded([...unseen]))})`;
  const conditions = [
    sql`c.project_id = ${projectId}`,
    ...(kind === null ? [] : [sql`c.kind = ${kind}`]),
    ...(withoutEvidence ? [sql`(not exists (select 1 ${effectsIn(projectId)}) ${isUnseen})`] : []),
  ];
  const matching = sql`from corrections as c where ${sql.join(conditions, sql` and `)}`;
  const order = newestFirst ? sql`desc` : sql`asc`;
  const counted = await sql<{ total: number }>`select count(*) as total ${matching}`.execute(db);
  // Each count has a limit: later texts may have brought any number of chunks.
  const { rows } = await sql<CorrectionRow & { chunks: number; later_chunks: number }>`
    select c.*, (select count(*) from (select 1 ${effectsIn(projectId)} limit ${maxCounted}) as counted) as chunks,
      (select count(*) from (
        select e.version_id from corrected_chunks as e
        where e.project_id = ${projectId} and e.seq = c.seq and e.version_id >= c.first_later_version
        order by e.version_id desc limit ${maxCounted}) as e
        ${joinVersion("e", projectId)} and ${isLater("e", sql`c.first_later_version`)}) as later_chunks
    ${matching} order by c.seq ${order} limit ${page.limit} offset ${page.offset}`.execute(db);
  return {
    corrections: rows.map((row) => ({
      ...toCorrection(row),
      chunks: unseen.has(row.seq) ? 0 : row.chunks,
      laterChunks: unseen.has(row.seq) ? 0 : row.later_chunks,
    })),
    total: counted.rows[0]?.total ?? 0,
    taught: await readTaught(db, projectId),
  };
}

/** Without the ends of additions, which are no evidence; with additions that it withdraws. */
const effectsIn = (projectId: string) => sql`from corrected_chunks as e
  where e.project_id = ${projectId} and e.seq = c.seq
    and (e.version_id <> ${sql.lit(statedVersion)} or e.position = c.seq or c.kind in ('reject', 'remove_property'))`;

function toCorrection(row: CorrectionRow): Correction {
  return {
    correctionId: row.correction_id,
    projectId: row.project_id,
    change: presentChange(parseChange(row), parseRenamed(row)),
    reason: row.reason,
    accountId: row.account_id,
    keyId: row.key_id,
    createdAt: row.created_at,
  };
}

/** The newest first. Without counts, which cost more than all changes together. */
export async function listChanges(
  db: Database,
  { projectId, page }: { projectId: string; page: Page },
): Promise<readonly GivenChange[]> {
  const rows = await db
    .selectFrom("corrections")
    .select(["change", "renamed_types"])
    .where("project_id", "=", projectId)
    .orderBy("seq", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ change: parseChange(row), renamed: parseRenamed(row) }));
}

function parseChange({ change }: Pick<CorrectionRow, "change">): CorrectionChange {
  return JSON.parse(change) as CorrectionChange; // Only `addCorrections` writes it.
}

export async function readNamesOf(
  db: Database,
  { projectId, names }: { projectId: string; names: readonly EntityKey[] },
): Promise<readonly NamesOf[]> {
  const asked = names.slice(0, maxAsked);
  const rows = await selectFor<{ asked_key: string; asked_type: string; type: string; name_key: string }>(
    db,
    {
      columns: { name_key: "text", type: "text" },
      rows: asked.filter(({ key }) => isStorableName(key)).map(({ key, type }): Row => [key, type]),
      query: sql`select distinct k.name_key as asked_key, k.type as asked_type, o.type, o.name_key
      from keys as k
      cross join entities as n
      cross join entities as m
      cross join entities as o
      where n.project_id = ${projectId} and n.name_key = k.name_key and n.entity_id is not null
        and m.project_id = ${projectId} and m.node_id = n.entity_id and (n.type = k.type or m.type = k.type)
        and o.project_id = ${projectId} and (o.node_id = n.entity_id or (o.entity_id = n.entity_id and o.entity_id <> o.node_id))
      order by 1, 2, o.name_key, o.type`,
    },
  );
  const found = Map.groupBy(rows, (row) => nameOf({ type: row.asked_type, key: row.asked_key }));
  const namesOf = names.map((name) =>
    (found.get(nameOf(name)) ?? []).map((row) => ({ type: row.type, key: row.name_key })),
  );
  const distinctNames = new Map(namesOf.flat().map((name) => [nameOf(name), name]));
  const reached = await readReached(db, projectId, {
    names: [...distinctNames.values()],
    direction: "back",
  });
  return namesOf.map((own) => ({ names: own, former: formerOf(own, reached) }));
}

function formerOf(names: readonly EntityKey[], { next }: Pick<Reached, "next">): readonly EntityKey[] {
  const all = new Map(names.map((name) => [nameOf(name), name]));
  // A map is walked with what is added on the way.
  for (const name of all.values())
    for (const each of next(name)) {
      if (all.size > names.length + MAX_NAMES) return [...all.values()].slice(names.length);
      all.set(nameOf(each), each);
    }
  return [...all.values()].slice(names.length);
}

/** Of chunks of a correction, by both counts. */
const maxCounted = sql.lit(MAX_COUNTED_CHUNKS);

/** Two entities of each correction of a request. */
const maxAsked = 200;
