/**
 * Additions: relationships and properties that a person states and no text does. Each is stored like the facts of a chunk, of version 0 with
 * the number of its correction as position, and is in the graph while texts mention its ends. It supports no entity.
 */
import { sql } from "kysely";
import type { Addition } from "../../../domain/correction.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import { type FactCheck, readAllowedFacts } from "../../../domain/ontology/allowed-facts.ts";
import { type PropertyCheck, readAllowedProperties } from "../../../domain/ontology/allowed-properties.ts";
import type { CorrectionRow, NameRole } from "../correction-schema.ts";
import type { Database } from "../schema.ts";
import { createRenamer, createWithdrawer, lastOf, type Trail } from "./addition-names.ts";
import { insertRows } from "./bulk.ts";
import { hasCorrections } from "./correction-rules.ts";
import { readFactRows, toFacts } from "./graph-evidence.ts";
import { confirmedUnits, nameOf, type StoredFacts } from "./graph-facts.ts";
import { type Nodes, type NumberedChunk, readNodeNumbers } from "./graph-nodes.ts";
import { addPlaces, type EdgeKey, findEdges, type Places, placesOf, removePlaces } from "./graph-places.ts";
import { selectIn } from "./graph-sql.ts";
import { readAllowedFactsOf, settleAllowedPropertiesOf } from "./ontologies.ts";
import { findSeqs, parseRule, readRules, readRulesBySeq } from "./reached-rules.ts";
import { writeNames } from "./rule-names.ts";

const { lit } = sql;
/** The version of what no text states. Versions of documents begin at 1. */
export const statedVersion = 0;

/** The extractor of additions. */
const person = "person";
const nothing: StoredFacts = { nodes: [], supported: 0, mentions: [], properties: [], edges: [], joins: [] };

export interface EdgeChanges {
  readonly newEdges: readonly EdgeKey[];
  readonly lostEdges: readonly EdgeKey[];
}

/** After nodes became live or ceased to be: the additions that have one of them as an end. */
export async function followLiveNodes(
  db: Database,
  projectId: string,
  { nodes, changed }: { readonly nodes: Nodes; readonly changed: readonly number[] },
): Promise<EdgeChanges> {
  if (changed.length === 0 || !(await hasCorrections(db, projectId))) return { newEdges: [], lostEdges: [] };
  const names = changed.flatMap((node) => nodes.get(node) ?? []);
  return followAdditions(db, projectId, await findAdditions(db, projectId, names));
}

/** The numbers of the additions that have an end of these names. */
export function findAdditions(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<readonly number[]> {
  return findSeqs(db, projectId, { names, roles: ["source", "target"] });
}

/** Stores the names of the ends under the corrections of names that were made later, and which later ones withdraw the addition. */
export async function nameEnds(db: Database, projectId: string, seqs: readonly number[]): Promise<void> {
  const numbered = await readRulesBySeq(db, projectId, seqs);
  const additions = numbered.map(({ seq, rule }) => {
    const addition = rule as Addition; // The ends of nothing else are stored.
    const [sources, targets] =
      addition.kind === "add_property" ? [addition.names, []] : [addition.sources, addition.targets];
    return { seq, addition, sources, targets };
  });
  const names = additions.flatMap(({ sources, targets }) => [...sources, ...targets]);
  const rules = await readRules(db, projectId, names);
  const rename = createRenamer(rules, await readAllowsType(db, projectId));
  const withdraw = createWithdrawer(rules);
  for (const { seq, addition, ...ends } of additions) {
    const sources = rename(ends.sources, seq);
    const targets = rename(ends.targets, seq);
    await clearEnds(db, projectId, seq);
    await writeNames(db, projectId, [
      { seq, role: "source", names: lastNames(sources) },
      { seq, role: "target", names: lastNames(targets) },
    ]);
    const renaming = [...sources.values(), ...targets.values()].flatMap((next) => next?.seq ?? []);
    const applied = new Set([...renaming, ...withdraw(addition, { sources, targets })]);
    await insertRows(
      db,
      "corrected_chunks",
      [...applied].map((by) => ({
        project_id: projectId,
        version_id: statedVersion,
        position: seq,
        seq: by,
      })),
    );
  }
}

/** First those that are not only in documents that were read before a move. */
function lastNames(trail: Trail): readonly EntityKey[] {
  const last = lastOf(trail);
  return [...last.map(({ name }) => name), ...last.flatMap(({ earlier }) => earlier)];
}

export async function clearEnds(db: Database, projectId: string, seq: number): Promise<void> {
  await db
    .deleteFrom("correction_names")
    .where("project_id", "=", projectId)
    .where("seq", "=", seq)
    .where("role", "in", ["source", "target"])
    .execute();
  await db
    .deleteFrom("corrected_chunks")
    .where("project_id", "=", projectId)
    .where("version_id", "=", statedVersion)
    .where("position", "=", seq)
    .where("seq", "<>", seq)
    .execute();
}

/** Puts the additions of these numbers into the graph, out of it, or to other names, as their ends are live now. */
export async function followAdditions(
  db: Database,
  projectId: string,
  seqs: readonly number[],
): Promise<EdgeChanges> {
  if (seqs.length === 0) return { newEdges: [], lostEdges: [] };
  const keys = seqs.map((seq) => ({ versionId: statedVersion, position: seq }));
  const stored = await readFactRows(db, projectId, keys);
  const wanted = await readWanted(db, projectId, seqs);
  const changes = seqs.flatMap((seq) => {
    const row = stored.get(`${statedVersion}.${seq}`);
    const before = row === undefined ? nothing : toFacts(row).facts;
    const after = wanted.get(seq) ?? nothing;
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ seq, before, after }];
  });
  // Names without a node are in no place either.
  const nodes = await readNodeNumbers(
    db,
    projectId,
    changes
      .flatMap(({ before, after }) => [...before.nodes, ...after.nodes])
      .map(([type, key]) => ({ type, key })),
  );
  const toPlaces = (all: readonly (readonly [number, StoredFacts])[]): Places =>
    placesOf(
      all.map(
        ([position, facts]): NumberedChunk => ({
          ...{ versionId: statedVersion, position, facts },
          ids: facts.nodes.map(([type, key]) => nodes.get(nameOf({ type, key })) ?? 0),
        }),
      ),
    );
  const removed = toPlaces(changes.map(({ seq, before }) => [seq, before]));
  const added = toPlaces(changes.map(({ seq, after }) => [seq, after]));
  const known = await findEdges(db, projectId, added.edges);
  await removePlaces(db, projectId, removed);
  await addPlaces(db, projectId, added);
  const left = await findEdges(db, projectId, removed.edges);
  for (const change of changes) await storeAddition(db, projectId, change);
  return {
    newEdges: added.edges.filter(({ key }) => !known.has(key)),
    lostEdges: removed.edges.filter(({ key }) => !left.has(key)),
  };
}

/**
 * The facts of additions of which all ends are live and that no later correction withdraws, by number. Of the names of an end the first
 * that is live counts.
 */
async function readWanted(
  db: Database,
  projectId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, StoredFacts>> {
  const ends = await selectIn<End>(
    db,
    seqs,
    (list) => sql`select n.seq, n.role, n.name_key, n.type, e.entity_id from correction_names as n
      left join entities as e
        on e.project_id = n.project_id and e.name_key = n.name_key and e.type = n.type
      where n.project_id = ${projectId} and n.seq in (${list}) and n.role in ('source', 'target')
      order by n.seq, n.role, n.place`,
  );
  const rules = await selectIn<Pick<CorrectionRow, "seq" | "rule" | "renamed_types">>(
    db,
    seqs,
    (
      list,
    ) => sql`select c.seq, c.rule, c.renamed_types from corrections as c where c.project_id = ${projectId} and c.seq in (${list})
      and not exists (select 1 from corrected_chunks as e cross join corrections as w
        where e.project_id = c.project_id and e.version_id = ${lit(statedVersion)} and e.position = c.seq
          and w.project_id = e.project_id and w.seq = e.seq and w.kind in ('reject', 'remove_property'))`,
  );
  const endsOf = Map.groupBy(ends, ({ seq }) => seq);
  // Only additions have ends.
  const additions = rules.map(({ seq, ...row }) => ({ seq, addition: parseRule(row) as Addition }));
  const check = await readCheck(db, projectId, {
    ofProperties: additions.some(({ addition }) => addition.kind === "add_property"),
  });
  return new Map(
    additions.flatMap(({ seq, addition }): readonly (readonly [number, StoredFacts])[] => {
      const own = endsOf.get(seq) ?? [];
      const firstOf = (role: NameRole) => own.find((end) => end.role === role && end.entity_id !== null);
      const [source, target] = [firstOf("source"), firstOf("target")];
      if (source === undefined) return [];
      const from = [source.type, source.name_key] as const;
      if (check !== null && !isAllowed(addition, { source, target, own }, check)) return [];
      if (addition.kind === "add_property") {
        const { property, value } = addition;
        return [[seq, { ...nothing, nodes: [from], properties: [[0, 0, 0, property, value]] }]];
      }
      if (target === undefined || (target.type === from[0] && target.name_key === from[1])) return [];
      const { type, validFrom = null, validTo = null } = addition;
      const edge = [0, 1, type, 0, 0, confirmedUnits, person, validFrom, validTo] as const;
      const nodes = [from, [target.type, target.name_key] as const];
      return [[seq, { ...nothing, nodes, edges: [edge] }]];
    }),
  );
}

/** Whether the project's ontology has a type; each without one. */
export async function readAllowsType(db: Database, projectId: string): Promise<(type: string) => boolean> {
  const json = await readAllowedFactsOf(db, projectId);
  const check = json === null ? null : readAllowedFacts(json);
  return (type) => check === null || check.allowsType(type);
}

interface AdditionCheck extends FactCheck {
  readonly allowsProperty: PropertyCheck;
}

/** null without an ontology. */
async function readCheck(
  db: Database,
  projectId: string,
  { ofProperties }: { readonly ofProperties: boolean },
): Promise<AdditionCheck | null> {
  const json = await readAllowedFactsOf(db, projectId);
  if (json === null) return null;
  const properties = ofProperties ? await settleAllowedPropertiesOf(db, projectId) : null;
  return { ...readAllowedFacts(json), allowsProperty: readAllowedProperties(properties ?? "") };
}

interface End {
  readonly seq: number;
  readonly role: NameRole;
  readonly type: string;
  readonly name_key: string;
  /** null: it is not live. */
  readonly entity_id: number | null;
}

/** By the ontology. An end of a document that was not read again has the name of its type in an earlier one. */
function isAllowed(
  addition: Addition,
  ends: { readonly source: End; readonly target: End | undefined; readonly own: readonly End[] },
  check: AdditionCheck,
): boolean {
  const typeOf = ({ role, type, name_key }: End) =>
    check.allowsType(type)
      ? type
      : (ends.own.find((end) => end.role === role && end.name_key === name_key && check.allowsType(end.type))
          ?.type ?? type);
  const sourceType = typeOf(ends.source);
  if (addition.kind === "add_property") return check.allowsProperty(sourceType, addition.property);
  return (
    ends.target === undefined ||
    check.allows({ type: addition.type, sourceType, targetType: typeOf(ends.target) })
  );
}

async function storeAddition(
  db: Database,
  projectId: string,
  { seq, before, after }: { seq: number; before: StoredFacts; after: StoredFacts },
): Promise<void> {
  const place = { project_id: projectId, version_id: statedVersion, position: seq };
  if (before !== nothing) await deletePlace(db, "chunk_facts", place);
  if (before !== nothing) await deletePlace(db, "corrected_chunks", { ...place, seq });
  if (after === nothing) return;
  await db
    .insertInto("chunk_facts")
    .values({ ...place, facts: JSON.stringify(after), original: null })
    .execute();
  await db
    .insertInto("corrected_chunks")
    .values({ ...place, seq })
    .execute();
}

async function deletePlace(
  db: Database,
  table: "chunk_facts" | "corrected_chunks",
  place: Readonly<Record<string, string | number>>,
): Promise<void> {
  const conditions = Object.entries(place).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`delete from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`.execute(db);
}
