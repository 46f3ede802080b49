/** Finds the corrections that concern names, and what the facts of chunks are under them. */
import { sql } from "kysely";
import { type CorrectionRule, targetsOf } from "../../../domain/correction.ts";
import { type ChunkKey, formatChunkId } from "../../../domain/document.ts";
import { type ConfidenceLimits, DEFAULT_CONFIDENCE_LIMITS } from "../../../domain/graph.ts";
import { type FactCheck, readAllowedFacts } from "../../../domain/ontology/allowed-facts.ts";
import type { ProjectConfig } from "../../../domain/project.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { createCorrector, type NumberedRule } from "./correct-facts.ts";
import { decodeUtf8 } from "./encoding.ts";
import type { FactsContext } from "./facts-work.ts";
import type { FactsOfChunk } from "./graph-evidence.ts";
import { contains, selectIn } from "./graph-sql.ts";
import { readLessons } from "./lessons.ts";
import { readAllowedFactsOf } from "./ontologies.ts";
import { findNames, readReached, readRules } from "./reached-rules.ts";
import type { Judged, Lessons, Taught } from "./teach-facts.ts";

/** Of names that a search finds by what they were called before: as many as the corrections of a project may have. */
const maxFound = 3_000;

export async function hasCorrections(db: Database, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom("corrections")
    .select("seq")
    .where("project_id", "=", projectId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** These normal forms, and those that corrections give to names with them. */
export async function withCorrected(
  db: Database,
  projectId: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  if (keys.length === 0 || !(await hasCorrections(db, projectId))) return keys;
  const names = await findNames(db, projectId, keys);
  if (names.length === 0) return keys;
  const reached = await readReached(db, projectId, { names, direction: "forward" });
  return [...new Set([...keys, ...reached.names.map(({ key }) => key)])];
}

/** Names with this part that corrections give others to, and those others. */
export async function findCorrected(
  db: Database,
  projectId: string,
  part: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name_key: string }>`select distinct name_key from correction_names
    where project_id = ${projectId} and role = 'match' and ${contains(sql`name_key`, part)}
    order by name_key limit ${sql.lit(maxFound)}`.execute(db);
  return withCorrected(
    db,
    projectId,
    rows.map((row) => row.name_key),
  );
}

export interface CorrectedChunk extends FactsOfChunk {
  /** The numbers of the corrections that change its facts. */
  readonly applied: readonly number[];
  readonly judged: readonly Judged[];
  readonly taught: readonly Taught[];
}

const unchanged = { applied: [], judged: [], taught: [] } as const;

/** The facts of chunks of present versions, given as their texts state them, under the corrections of the project and what they teach. */
export async function correctChunks(
  db: Database,
  projectId: string,
  chunks: readonly FactsOfChunk[],
): Promise<readonly CorrectedChunk[]> {
  const names = chunks.flatMap(({ facts }) => facts.nodes.map(([type, key]) => ({ type, key })));
  const rules = await readRules(db, projectId, names);
  const lessons = await readLessons(db, projectId, typesIn(chunks));
  if (rules.length === 0 && lessons.size === 0) return chunks.map((chunk) => ({ ...chunk, ...unchanged }));
  const contextOf = await readContexts(db, projectId, { chunks, rules, lessons });
  const correct = createCorrector(rules, lessons);
  return chunks.map((chunk) => {
    const context = contextOf(chunk);
    // A version without a row is about to be removed.
    if (context === null) return { ...chunk, ...unchanged };
    return { ...chunk, ...correct(chunk.facts, context) };
  });
}

/** As a correction sees them: under those that were made before it. */
export async function correctBefore(
  db: Database,
  projectId: string,
  { chunks, seq }: { readonly chunks: readonly FactsOfChunk[]; readonly seq: number },
): Promise<readonly FactsOfChunk[]> {
  const names = chunks.flatMap(({ facts }) => facts.nodes.map(([type, key]) => ({ type, key })));
  const rules = (await readRules(db, projectId, names)).filter((each) => each.seq < seq);
  const contextOf = await readContexts(db, projectId, { chunks, rules, lessons: new Map() });
  const correct = createCorrector(rules);
  return chunks.map((chunk) => {
    const context = contextOf(chunk);
    return context === null ? chunk : { ...chunk, facts: correct(chunk.facts, context).facts };
  });
}

/** The types of their relationships and proposals. */
function typesIn(chunks: readonly FactsOfChunk[]): ReadonlySet<string> {
  return new Set(
    chunks.flatMap(({ facts }) => [...facts.edges, ...(facts.proposals ?? [])].map(([, , type]) => type)),
  );
}

async function readContexts(
  db: Database,
  projectId: string,
  input: {
    readonly chunks: readonly ChunkKey[];
    readonly rules: readonly NumberedRule[];
    readonly lessons: Lessons;
  },
): Promise<(key: ChunkKey) => FactsContext | null> {
  const { chunks, rules, lessons } = input;
  const rows = await selectIn<{ version_id: number; source_doc_id: string; moves: number | null }>(
    db,
    chunks.map(({ versionId }) => versionId),
    (list) => sql`select v.version_id, v.source_doc_id, p.moves - v.moves as moves
      from document_versions as v join projects as p on p.project_id = v.project_id
      where v.project_id = ${projectId} and v.version_id in (${list})`,
  );
  const versions = new Map(rows.map((row) => [row.version_id, row]));
  const judges = rules.some(({ rule }) => rule.kind === "confirm" || rule.kind === "reject");
  const readsText = judges || lessons.size > 0;
  const limits = readsText ? await readLimits(db, projectId) : DEFAULT_CONFIDENCE_LIMITS;
  const texts = readsText ? await readTexts(db, projectId, chunks) : new Map<string, ChunkText>();
  const allowedFacts = rules.some(({ rule }) => givesType(rule))
    ? await readAllowedFactsOf(db, projectId)
    : null;
  let read: FactCheck | null = null;
  const isAllowed = (ask: (check: FactCheck) => boolean) => {
    if (allowedFacts === null) return true;
    read ??= readAllowedFacts(allowedFacts);
    return ask(read);
  };
  const allows: FactsContext["allows"] = (fact) => isAllowed((check) => check.allows(fact));
  const allowsType: FactsContext["allowsType"] = (type) => isAllowed((check) => check.allowsType(type));
  return (key) => {
    const version = versions.get(key.versionId);
    if (version === undefined) return null;
    const { text = "", start: from = 0 } = texts.get(formatChunkId(key)) ?? {};
    return {
      sourceDocId: version.source_doc_id,
      moves: version.moves,
      textOf: (start, end) => text.slice(Math.max(0, start - from), Math.max(0, end - from)),
      ...{ allows, allowsType, limits },
    };
  };
}

async function readLimits(db: Database, projectId: string): Promise<ConfidenceLimits> {
  const { config } = await db
    .selectFrom("projects")
    .select("config")
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  const { confidenceLimits } = JSON.parse(config) as ProjectConfig; // Only `createProject` and `switchSpace` write it.
  return confidenceLimits ?? DEFAULT_CONFIDENCE_LIMITS;
}

/** Whether entities, or ends of proposals, have another type by it. */
function givesType(rule: CorrectionRule): boolean {
  if (rule.kind === "confirm") return rule.sourceAs !== undefined || rule.targetAs !== undefined;
  if (rule.kind !== "name") return false;
  return rule.names.some((name) => targetsOf(rule, name).some(({ type }) => type !== name.type));
}

interface ChunkText {
  readonly start: number;
  readonly text: string;
}

async function readTexts(
  db: Database,
  projectId: string,
  keys: readonly ChunkKey[],
): Promise<ReadonlyMap<string, ChunkText>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{
    version_id: number;
    position: number;
    start_offset: number;
    text: Uint8Array;
  }>`
    select version_id, position, start_offset, text from chunks
    where project_id = ${projectId} and ${matchesKey("chunks", padded(keys))}`.execute(db);
  return new Map(
    rows.map((row) => [
      formatChunkId({ versionId: row.version_id, position: row.position }),
      { start: row.start_offset, text: decodeUtf8(row.text) },
    ]),
  );
}
