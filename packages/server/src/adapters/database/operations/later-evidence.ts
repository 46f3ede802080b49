/** What texts say that were ingested after a correction was made: the sentences that it changes, and what tells against it. */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type Addition,
  type CorrectionRule,
  isOfType,
  namesOfEnds,
  type VerdictRule,
} from "../../../domain/correction.ts";
import type { ChunkKey } from "../../../domain/document.ts";
import type { EntityKey, Span } from "../../../domain/graph.ts";
import { END_OF_PERIOD } from "../../../domain/validity.ts";
import type { Conflict, LaterEvidence } from "../../../ports/correction-store.ts";
import type { CorrectionRow } from "../correction-schema.ts";
import type { Database } from "../schema.ts";
import { createRenamer, lastOf } from "./addition-names.ts";
import { padded } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { readAllowsType, statedVersion } from "./correction-additions.ts";
import { correctBefore } from "./correction-rules.ts";
import { nameOf, type StoredFacts } from "./graph-facts.ts";
import { keyOfEdge } from "./graph-places.ts";
import { type NodeEdge, readRelationshipPlacesIn } from "./graph-quotes.ts";
import { type Row, selectFor } from "./graph-sql.ts";
import { parseRule, readRules } from "./reached-rules.ts";

/** Chunks of which sentences are given. */
const maxChunks = 20;
/** Names of an end, and pairs of names, that are looked up. */
const maxNames = 16;
/** Statements of a pair or a source that are looked through, */
const maxStatements = 64;
/** and among so many for those of texts that are later, or were read again. */
const maxRead = 1_024;
const { lit } = sql;

interface Corrected extends Pick<CorrectionRow, "seq" | "correction_id" | "first_later_version"> {
  readonly rule: CorrectionRule;
}

interface Input {
  readonly projectId: string;
  readonly correctionId: string;
  /** A day. */
  readonly today: string;
}

/** Joins the version of a place as `v`. */
export function joinVersion(place: string, projectId: string): RawBuilder<unknown> {
  return sql`join document_versions as v on v.project_id = ${projectId} and v.version_id = ${sql.ref(`${place}.version_id`)}`;
}

/** Whether the text of the version `v` of a place was accepted from this version on. A reread has given it a later one. */
export function isLater(place: string, first: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const version = sql.ref(`${place}.version_id`);
  return sql`${version} >= ${first} and coalesce(v.text_version, ${version}) >= ${first}`;
}

/** null when it does not exist. */
export async function readLaterEvidence(db: Database, input: Input): Promise<LaterEvidence | null> {
  const [correction] = await readCorrections(db, input.projectId, [input.correctionId]);
  if (correction === undefined) return null;
  const against = await findAgainst(db, input, {
    correction,
    rename: await readRenamer(db, input.projectId, [correction]),
  });
  return {
    passages: await readPassages(db, input.projectId, correction),
    conflicts: await readConflicts(db, input.projectId, against),
  };
}

/** The chunks that tell against each, at most 20. */
export async function countConflicts(
  db: Database,
  input: Omit<Input, "correctionId"> & { readonly correctionIds: readonly string[] },
): Promise<Readonly<Record<string, number>>> {
  const corrections = await readCorrections(db, input.projectId, input.correctionIds);
  const rename = await readRenamer(db, input.projectId, corrections);
  const counts: Record<string, number> = {};
  for (const correction of corrections)
    counts[correction.correction_id] = (await findAgainst(db, input, { correction, rename })).length;
  return counts;
}

async function readCorrections(
  db: Database,
  projectId: string,
  correctionIds: readonly string[],
): Promise<readonly Corrected[]> {
  if (correctionIds.length === 0) return [];
  const rows = await db
    .selectFrom("corrections")
    .select(["seq", "correction_id", "rule", "renamed_types", "first_later_version"])
    .where("project_id", "=", projectId)
    .where("correction_id", "in", padded(correctionIds))
    .execute();
  return rows.map((row) => ({ ...row, rule: parseRule(row) }));
}

/** What gives the names that the ends of corrections of relationships have now. */
async function readRenamer(db: Database, projectId: string, corrections: readonly Corrected[]) {
  const ends = corrections.flatMap(({ rule }) =>
    rule.kind === "confirm" || rule.kind === "add_relationship"
      ? Object.values(namesOfEnds(rule)).flat()
      : [],
  );
  const rules = await readRules(db, projectId, ends);
  return createRenamer(rules, await readAllowsType(db, projectId));
}

/** A place of each of the newest chunks that it changes. */
async function readPassages(
  db: Database,
  projectId: string,
  { seq, rule, first_later_version: first }: Corrected,
): Promise<readonly (ChunkKey & Span)[]> {
  const keys = await sql<{ version_id: number; position: number }>`
    select e.version_id, e.position from corrected_chunks as e ${joinVersion("e", projectId)}
    where e.project_id = ${projectId} and e.seq = ${seq} and ${isLater("e", sql`${first}`)}
    order by e.version_id desc, e.position limit ${lit(maxChunks)}`.execute(db);
  if (keys.rows.length === 0) return [];
  const wanted = keys.rows.map((row) => ({ versionId: row.version_id, position: row.position }));
  const { rows } = await sql<{ version_id: number; position: number; facts: string }>`
    select version_id, position, coalesce(original, facts) as facts from chunk_facts
    where project_id = ${projectId} and ${matchesKey("chunk_facts", padded(wanted))}
    order by version_id desc, position`.execute(db);
  const chunks = rows.map((row) => ({
    ...{ versionId: row.version_id, position: row.position },
    facts: JSON.parse(row.facts) as StoredFacts, // Only `writeEvidence` and `storeCorrected` write these columns.
  }));
  const seen = await correctBefore(db, projectId, { chunks, seq });
  return seen.flatMap(({ versionId, position, facts }) =>
    spansOf(facts, rule)
      .slice(0, 1)
      .map(([start, end]) => ({ versionId, position, start, end })),
  );
}

/** Where facts state what the rule changes. */
function spansOf(facts: StoredFacts, rule: CorrectionRule): readonly (readonly [number, number])[] {
  const isOf = (names: readonly EntityKey[]) => {
    const labels = new Set(names.map(nameOf));
    return (node: number) => {
      const [type = "", key = ""] = facts.nodes[node] ?? [];
      return labels.has(nameOf({ type, key }));
    };
  };
  if (rule.kind === "add_property" || rule.kind === "add_relationship") return [];
  if (rule.kind === "name") {
    const isNamed = isOf(rule.names);
    return facts.mentions.flatMap(([node, start, end]) => (isNamed(node) ? [[start, end] as const] : []));
  }
  if (rule.kind === "property") {
    const isNamed = isOf(rule.names);
    return facts.properties.flatMap(([node, start, end, property, value]) =>
      isNamed(node) && property === rule.property && (rule.value === null || value === rule.value)
        ? [[start, end] as const]
        : [],
    );
  }
  const [isSource, isTarget] = [isOf(rule.sources), isOf(rule.targets)];
  return [...facts.edges, ...(facts.proposals ?? [])].flatMap(([source, target, type, start, end]) =>
    isOfType(rule, type) && isSource(source) && isTarget(target) ? [[start, end] as const] : [],
  );
}

interface Against extends NodeEdge, ChunkKey {
  readonly kind: Conflict["kind"];
  /** Of the entity of the target. */
  readonly entity: number;
  /** When the relationship has ended, or the source turned to this target. */
  readonly time: string;
}

/**
 * Statements of later texts by which a confirmed or added relationship would have ended (docs/decisions/0040-times.md), if it were not of
 * a person: of its end, and for a functional type of another target, after all for which the texts before tell of it. At most 20.
 */
async function findAgainst(
  db: Database,
  { projectId, today }: Pick<Input, "projectId" | "today">,
  {
    correction,
    rename,
  }: { readonly correction: Corrected; readonly rename: ReturnType<typeof createRenamer> },
): Promise<readonly Against[]> {
  const { seq, rule, first_later_version: first } = correction;
  if (rule.kind !== "confirm" && rule.kind !== "add_relationship") return [];
  const namesNow = (names: readonly EntityKey[]) => lastOf(rename(names, seq)).map(({ name }) => name);
  const names = namesOfEnds(rule);
  const [sources, targets] = [
    await readNodes(db, projectId, namesNow(names.sources)),
    await readNodes(db, projectId, namesNow(names.targets)),
  ];
  const pairs = sources
    .flatMap(({ node: source }) => targets.map(({ node: target }) => ({ source, target, type: rule.type })))
    .slice(0, maxNames);
  const known = await readKnown(db, { projectId, pairs, before: first });
  if (known === null) return [];
  const own = new Set(targets.map(({ entity }) => entity));
  const found: Against[] = [];
  for (const { source, target, type } of pairs)
    found.push(
      ...(await readStatements(db, {
        ...{ kind: "ended", column: "valid_to", known, today, first, projectId },
        where: sql`p.source_node = ${source} and p.target_node = ${target} and p.type = ${type}`,
      })),
    );
  for (const { node } of sources) {
    const turns = await readStatements(db, {
      ...{ kind: "other_target", column: "turn_at", known, today, first, projectId },
      where: sql`p.source_node = ${node} and p.type = ${rule.type}`,
    });
    found.push(...turns.filter(({ entity }) => !own.has(entity)));
  }
  return found
    .filter(({ time }) => isWithin(rule, time))
    .toSorted((a, b) => (a.time === b.time ? b.versionId - a.versionId : a.time < b.time ? 1 : -1))
    .slice(0, maxChunks);
}

/** Whether a relationship that a person gave these times would have ended by the end at `time`. */
function isWithin(
  rule: VerdictRule | Extract<Addition, { kind: "add_relationship" }>,
  time: string,
): boolean {
  if (rule.kind !== "add_relationship") return true;
  const { validFrom = null, validTo = null } = rule;
  const isAfter = validFrom === null || time > `${validFrom}${END_OF_PERIOD}`;
  return isAfter && (validTo === null || `${time}${END_OF_PERIOD}` < validTo);
}

async function readNodes(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<readonly { readonly node: number; readonly entity: number }[]> {
  const rows = await selectFor<{ node: number; entity: number }>(db, {
    columns: { name_key: "text", type: "text" },
    rows: names.map(({ key, type }): Row => [key, type]),
    query: sql`select e.node_id as node, e.entity_id as entity from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key and e.type = k.type and e.entity_id is not null`,
  });
  return rows.toSorted((a, b) => a.node - b.node).slice(0, maxNames);
}

/** Until when texts before tell that it holds; "": they do not say. null: they say themselves that it ends. */
async function readKnown(
  db: Database,
  input: { readonly projectId: string; readonly pairs: readonly NodeEdge[]; readonly before: number },
): Promise<string | null> {
  const { projectId, pairs, before } = input;
  const places = sql`select e.version_id, e.position, e.valid_to, e.known_until from relationship_places as e
    where e.project_id = ${projectId} and e.source_node = k.source_node and e.target_node = k.target_node and e.type = k.type`;
  const newest = (limit: number) => sql`order by e.version_id desc, e.position desc limit ${lit(limit)}`;
  // Texts from before, in versions from before and in those of rereads.
  const statements = sql`(
    select * from (${places} and e.version_id > ${lit(statedVersion)} and e.version_id < ${before} ${newest(maxStatements)}) as early
    union all
    select e.* from (${places} and e.version_id >= ${before} ${newest(maxRead)}) as e ${joinVersion("e", projectId)}
    where v.text_version < ${before}) as stated`;
  const rows = await selectFor<{ stated: number; known: string | null }>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: pairs.map(({ source, target, type }): Row => [source, target, type]),
    query: sql`select (select count(*) from ${statements}) as stated,
      (select max(coalesce(known_until, '')) from ${statements} where valid_to is null) as known
      from keys as k where k.source_node is not null`,
  });
  const open = rows.flatMap(({ known }) => known ?? []);
  const isEnded = open.length === 0 && rows.some(({ stated }) => stated > 0);
  return isEnded ? null : (open.toSorted().at(-1) ?? "");
}

/** Those of a time that has passed, after the one until which the relationship is known to hold; the latest first. */
async function readStatements(
  db: Database,
  input: {
    readonly kind: Conflict["kind"];
    readonly column: "valid_to" | "turn_at";
    readonly known: string;
    readonly today: string;
    readonly projectId: string;
    /** The first version of a document that is later than the correction. */
    readonly first: number;
    readonly where: ReturnType<typeof sql>;
  },
): Promise<readonly Against[]> {
  const { kind, known, today, where } = input;
  const time = sql.ref(`p.${input.column}`);
  const { rows } = await sql<
    NodeEdge & { version_id: number; position: number; entity: number; time: string }
  >`
    select p.source_node as source, p.target_node as target, p.type, p.version_id, p.position, e.entity_id as entity, p.time
    from (select p.* from (
        select p.source_node, p.target_node, p.type, p.version_id, p.position, ${time} as time
        from relationship_places as p
        where p.project_id = ${input.projectId} and ${where} and ${time} is not null and ${time} > ${known} and ${time} < ${today}
        order by ${time} desc limit ${lit(maxRead)}) as p ${joinVersion("p", input.projectId)}
      where ${isLater("p", sql`${input.first}`)} order by p.time desc limit ${lit(maxStatements)}) as p
    cross join entities as e
    where e.project_id = ${input.projectId} and e.node_id = p.target_node and e.entity_id is not null
    order by p.time desc, p.version_id desc, p.position`.execute(db);
  return rows
    .filter((row) => `${row.time}${END_OF_PERIOD}` < today)
    .map(({ version_id: versionId, ...row }) => ({ kind, versionId, ...row }));
}

async function readConflicts(
  db: Database,
  projectId: string,
  against: readonly Against[],
): Promise<readonly Conflict[]> {
  const places = await readRelationshipPlacesIn(db, projectId, {
    edges: against,
    within: against,
    asOf: null,
  });
  return against.flatMap(({ kind, source, target, type, entity, time, ...key }) => {
    const own = places
      .get(keyOfEdge(source, target, type))
      ?.find(
        (place) =>
          place.versionId === key.versionId &&
          place.position === key.position &&
          (kind === "other_target" || place.validTo === time),
      );
    return own === undefined ? [] : [{ kind, entityId: String(entity), at: time, place: own }];
  });
}
