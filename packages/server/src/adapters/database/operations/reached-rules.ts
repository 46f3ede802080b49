/**
 * Finds the corrections that names reach, also over the names that corrections give: by looking names up, and where there are many
 * corrections or long chains, among all of the project, which have 2 MiB at most.
 */
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { type CorrectionRule, type NameRule, targetsOf } from "../../../domain/correction.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import { NOTHING_RENAMED, presentRule, type RenamedTypes } from "../../../domain/renamed-types.ts";
import type { CorrectionRow, NameRole } from "../correction-schema.ts";
import type { Database } from "../schema.ts";
import type { NumberedRule } from "./correct-facts.ts";
import { nameOf } from "./graph-facts.ts";
import { type Row, selectFor, selectIn } from "./graph-sql.ts";

/** forward: from names that corrections concern to those that they give. back: the other way round; without splits, which leave the name to other documents. */
export type Direction = "forward" | "back";

/** Of look-ups, each of names that the one before has found. */
const maxRounds = 3;
/** Rules that look-ups read, and those of a page where all are read. */
const maxLookedUp = 64;
/** In a turn: a rule of 64 names, of which each was renamed by five moves, takes a millisecond. */
const parsedAtOnce = 16;
/** Names that are looked for on the way back: a correction is of far fewer. */
const maxFormer = 4_000;

export interface Reached {
  /** In their order. */
  readonly rules: readonly NumberedRule[];
  /** First those that were asked for. */
  readonly names: readonly EntityKey[];
  /** The names that one correction leads to from this one, in the order of corrections. */
  readonly next: (name: EntityKey) => readonly EntityKey[];
}

/** By the names that its types have now. */
export function parseRule(row: Pick<CorrectionRow, "rule" | "renamed_types">): CorrectionRule {
  const rule = JSON.parse(row.rule) as CorrectionRule; // Only `addCorrections` writes it.
  return presentRule(rule, parseRenamed(row));
}

export function parseRenamed({ renamed_types: json }: Pick<CorrectionRow, "renamed_types">): RenamedTypes {
  return json === null ? NOTHING_RENAMED : (JSON.parse(json) as RenamedTypes); // Only `writeRenamed` writes it.
}

/** The names that the rule gives to others. */
export function allTargetsOf(rule: NameRule): readonly EntityKey[] {
  const targets = rule.names.flatMap((name) => targetsOf(rule, name));
  return [...new Map(targets.map((target) => [nameOf(target), target])).values()];
}

export async function readReached(
  db: Database,
  projectId: string,
  asked: { readonly names: readonly EntityKey[]; readonly direction: Direction },
): Promise<Reached> {
  const { names, direction } = asked;
  const role = direction === "forward" ? "match" : "shown";
  const walk = createWalk(names, direction);
  const lookedUp = new Set<string>();
  for (let round = 0; ; round++) {
    const reached = walk.reach();
    const unknown = reached.names.filter((name) => !lookedUp.has(nameOf(name)));
    if (unknown.length === 0) return reached;
    if (round === maxRounds) break;
    const found = await findSeqs(db, projectId, { names: unknown, roles: [role], most: maxLookedUp });
    const seqs = found.filter((seq) => !walk.has(seq));
    if (found.length === maxLookedUp || walk.size() + seqs.length > maxLookedUp) break;
    for (const rule of await readRulesBySeq(db, projectId, seqs)) walk.add(rule);
    for (const name of unknown) lookedUp.add(nameOf(name));
  }
  await readAll(db, projectId, walk.add);
  return walk.reach();
}

/** The rules that can change facts with these names or with the names that other rules give them, in their order. */
export async function readRules(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<readonly NumberedRule[]> {
  return (await readReached(db, projectId, { names, direction: "forward" })).rules;
}

interface Edge {
  readonly seq: number;
  /** null: the rule gives the name no other. */
  readonly to: EntityKey | null;
}

function createWalk(names: readonly EntityKey[], direction: Direction) {
  const rules = new Map<number, NumberedRule>();
  const edges = new Map<string, Edge[]>();
  return {
    has: (seq: number) => rules.has(seq),
    size: () => rules.size,
    add(numbered: NumberedRule): void {
      const { seq, rule } = numbered;
      if (rules.has(seq)) return;
      rules.set(seq, numbered);
      for (const [from, to] of stepsOf(rule, direction)) {
        const known = edges.get(nameOf(from)) ?? [];
        edges.set(nameOf(from), known);
        known.push({ seq, to });
      }
    },
    reach(): Reached {
      const most = direction === "back" ? maxFormer : Number.POSITIVE_INFINITY;
      const reached = new Map(names.map((name) => [nameOf(name), name]));
      const seqs = new Set<number>();
      // A map is walked with what is added on the way.
      for (const [label] of reached)
        for (const { seq, to } of edges.get(label) ?? []) {
          seqs.add(seq);
          if (to !== null && reached.size < most && !reached.has(nameOf(to))) reached.set(nameOf(to), to);
        }
      return {
        rules: [...seqs].toSorted((a, b) => a - b).flatMap((seq) => rules.get(seq) ?? []),
        names: [...reached.values()],
        next: (name) =>
          (edges.get(nameOf(name)) ?? [])
            .toSorted((a, b) => a.seq - b.seq)
            .slice(0, maxFormer)
            .flatMap(({ to }) => to ?? []),
      };
    },
  };
}

/** From each name of the rule to what it leads to. */
function stepsOf(
  rule: CorrectionRule,
  direction: Direction,
): readonly (readonly [EntityKey, EntityKey | null])[] {
  if (rule.kind === "name") {
    const steps = rule.names.flatMap((name) => targetsOf(rule, name).map((target) => ({ name, target })));
    if (direction === "forward") return steps.map(({ name, target }) => [name, target]);
    return rule.documents !== null ? [] : steps.map(({ name, target }) => [target, name]);
  }
  if (direction === "back" || rule.kind === "add_property" || rule.kind === "add_relationship") return [];
  const own = (rule.kind === "property" ? rule.names : rule.sources).map((name) => [name, null] as const);
  if (rule.kind === "property") return own;
  const given = [rule.sourceAs, rule.targetAs].flatMap((as) =>
    as === undefined ? [] : stepsOf(as, direction),
  );
  return [...own, ...given];
}

/** In no order. */
export async function readRulesBySeq(
  db: Database,
  projectId: string,
  seqs: readonly number[],
): Promise<readonly NumberedRule[]> {
  const rows = await selectIn<StoredRule>(
    db,
    seqs,
    (list) =>
      sql`select seq, rule, renamed_types from corrections where project_id = ${projectId} and seq in (${list})`,
  );
  const rules: NumberedRule[] = [];
  await parseInTurns(rows, (rule) => rules.push(rule));
  return rules;
}

type StoredRule = Pick<CorrectionRow, "seq" | "rule" | "renamed_types">;

/** On PostgreSQL this is the main thread. */
async function parseInTurns(rows: readonly StoredRule[], add: (rule: NumberedRule) => void): Promise<void> {
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % parsedAtOnce === 0) await turn();
    add({ seq: row.seq, rule: parseRule(row) });
  }
}

async function readAll(db: Database, projectId: string, add: (rule: NumberedRule) => void): Promise<void> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom("corrections")
      .select(["seq", "rule", "renamed_types"])
      .where("project_id", "=", projectId)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(maxLookedUp)
      .execute();
    await parseInTurns(rows, add);
    if (rows.length < maxLookedUp) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/** The numbers of the corrections that have one of the names in one of the roles; some of them where there are `most` or more. */
export async function findSeqs(
  db: Database,
  projectId: string,
  input: {
    readonly names: readonly EntityKey[];
    readonly roles: readonly NameRole[];
    readonly most?: number;
  },
): Promise<readonly number[]> {
  const { names, roles, most } = input;
  const rows = await selectFor<{ seq: number }>(db, {
    columns: { name_key: "text", type: "text" },
    rows: names.map(({ key, type }): Row => [key, type]),
    query: sql`select distinct n.seq from keys as k cross join correction_names as n
      where n.project_id = ${projectId} and n.name_key = k.name_key and n.type = k.type
        and n.role in (${sql.join(roles)}) ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`}`,
  });
  const seqs = [...new Set(rows.map(({ seq }) => seq))];
  return most === undefined ? seqs : seqs.slice(0, most);
}

/** The names with these normal forms that corrections concern. */
export async function findNames(
  db: Database,
  projectId: string,
  keys: readonly string[],
): Promise<readonly EntityKey[]> {
  return selectFor<EntityKey>(db, {
    columns: { name_key: "text" },
    rows: keys.map((key): Row => [key]),
    query: sql`select distinct n.name_key as key, n.type from keys as k cross join correction_names as n
      where n.project_id = ${projectId} and n.name_key = k.name_key and n.role = 'match'`,
  });
}
