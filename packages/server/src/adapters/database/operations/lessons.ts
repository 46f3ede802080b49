/**
 * What verdicts teach about other relationships of their type, as a function of what they are on in the present documents. A step that
 * changes this notes the type; once nothing else is left, its lesson is learned again, and where it differs, all chunks with such
 * relationships are listed in steps of bounded work, to be corrected again.
 */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type JudgedFact, type Lesson, learnLesson, prepareLesson } from "../../../domain/lesson.ts";
import type { TaughtType } from "../../../ports/correction-store.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { confidenceUnits } from "./graph-facts.ts";
import { insertAll } from "./graph-sql.ts";
import type { Judged, Lessons } from "./teach-facts.ts";

/** Of one step. A type has up to 1,000 verdicts. */
const maxLearned = 8;
/** Chunks whose facts one step looks through. */
const maxWalked = 512;
/** Digits of a confidence in thousandths. */
const digits = 4;

/** A condition of rows of `lessons`: the graph has not followed them. */
export const isLessonLeft: RawBuilder<SqlBool> = sql<SqlBool>`(is_outdated = 1 or next_version is not null)`;

/** What is taught at present about these edge types. */
export async function readLessons(
  db: Database,
  projectId: string,
  types: ReadonlySet<string>,
): Promise<Lessons> {
  if (types.size === 0) return new Map();
  const rows = await db
    .selectFrom("lessons")
    .select(["type", "lesson"])
    .where("project_id", "=", projectId)
    .where("lesson", "is not", null)
    .orderBy("type")
    .execute();
  const own = rows.filter(({ type }) => types.has(type));
  return new Map(own.map(({ type, lesson }) => [type, prepareLesson(JSON.parse(lesson ?? "") as Lesson)])); // Only `learnAgain` writes it.
}

/** What verdicts of these types are on may have changed. */
export async function noteJudged(db: Database, projectId: string, types: Iterable<string>): Promise<void> {
  await insertAll(db, {
    table: "lessons",
    columns: { project_id: "text", type: "text", is_outdated: "bigint", next_position: "bigint" },
    rows: [...new Set(types)].map((type) => [projectId, type, 1, 0]),
    end: sql`on conflict (project_id, type) do update set is_outdated = 1`,
  });
}

/** As `judged` is stored. */
export function judgedText({ fact: { confidence, wording } }: Judged): string {
  return `${String(Math.round(confidence * confidenceUnits)).padStart(digits, "0")}${wording}`;
}

/** One step. True when more may be left. The graph has all chunks of live versions. */
export async function followLessons(db: Database, projectId: string): Promise<boolean> {
  const left = await db
    .selectFrom("lessons")
    .selectAll()
    .where("project_id", "=", projectId)
    .where(isLessonLeft)
    .orderBy("is_outdated", "desc")
    .orderBy("type")
    .limit(maxLearned)
    .execute();
  const outdated = left.filter((row) => row.is_outdated === 1);
  for (const { type, lesson } of outdated) await learnAgain(db, projectId, { type, before: lesson });
  const [walked] = left;
  if (walked !== undefined && outdated.length === 0) await walk(db, projectId, walked);
  return left.length > 0;
}

async function learnAgain(
  db: Database,
  projectId: string,
  { type, before }: { readonly type: string; readonly before: string | null },
): Promise<void> {
  const learned = learnLesson(await readJudged(db, projectId, type));
  const lesson = learned === null ? null : JSON.stringify(learned);
  const own = db.updateTable("lessons").where("project_id", "=", projectId).where("type", "=", type);
  await own
    .set({
      is_outdated: 0,
      lesson,
      ...(isSame(before, learned) ? {} : { next_version: 0, next_position: 0 }),
    })
    .execute();
  if (learned === null) await removeUntaught(db, projectId, type);
}

/** Whether both do the same to facts. */
function isSame(before: string | null, learned: Lesson | null): boolean {
  const effectOf = (lesson: Lesson | null) => (lesson === null ? null : [lesson.shift, lesson.wordings]);
  const known = before === null ? null : (JSON.parse(before) as Lesson); // As in `readLessons`.
  return JSON.stringify(effectOf(known)) === JSON.stringify(effectOf(learned));
}

/** Of each verdict the surest fact that it is on, in the order of the verdicts. */
async function readJudged(db: Database, projectId: string, type: string): Promise<readonly JudgedFact[]> {
  const { rows } = await sql<{ kind: string; judged: string | null }>`
    select c.kind, (select max(j.judged) from judged_facts as j
      where j.project_id = ${projectId} and j.type = ${type} and j.seq = c.seq) as judged
    from corrections as c where c.project_id = ${projectId} and c.kind in ('confirm', 'reject')
    order by c.seq`.execute(db);
  return rows.flatMap(({ kind, judged }) => {
    if (judged === null) return [];
    const confidence = Number(judged.slice(0, digits)) / confidenceUnits;
    return [{ isTrue: kind === "confirm", confidence, wording: judged.slice(digits) }];
  });
}

/** Lists the chunks behind the place in the row that have such relationships. */
async function walk(
  db: Database,
  projectId: string,
  row: { readonly type: string; readonly next_version: number | null; readonly next_position: number },
): Promise<void> {
  const { type, next_version: version, next_position: position } = row;
  const pattern = `%${JSON.stringify(type).replace(/[!%_]/g, "!$&")}%`;
  const { rows } = await sql<{ version_id: number; position: number; has: number }>`
    select f.version_id, f.position,
      case when f.facts like ${pattern} escape '!' or f.original like ${pattern} escape '!' then 1 else 0 end as has
    from chunk_facts as f where f.project_id = ${projectId} and f.version_id > 0
      and (f.version_id, f.position) > (cast(${version} as bigint), cast(${position} as bigint))
    order by f.version_id, f.position limit ${maxWalked}`.execute(db);
  const versions = padded([...new Set(rows.map((each) => each.version_id))]);
  const live = await db
    .selectFrom("document_versions")
    .select("version_id")
    .where("project_id", "=", projectId)
    .where("version_id", "in", versions.length === 0 ? [0] : versions)
    .where("state", "=", "live")
    .execute();
  const inGraph = new Set(live.map((each) => each.version_id));
  await insertAll(db, {
    table: "outdated_facts",
    columns: { project_id: "text", version_id: "bigint", position: "bigint" },
    rows: rows
      .filter((each) => each.has === 1 && inGraph.has(each.version_id))
      .map((each) => [projectId, each.version_id, each.position]),
    end: sql`on conflict do nothing`,
  });
  const last = rows.length < maxWalked ? undefined : rows.at(-1);
  await db
    .updateTable("lessons")
    .set({ next_version: last?.version_id ?? null, next_position: last?.position ?? 0 })
    .where("project_id", "=", projectId)
    .where("type", "=", type)
    .execute();
  await removeUntaught(db, projectId, type);
}

async function removeUntaught(db: Database, projectId: string, type: string): Promise<void> {
  await db
    .deleteFrom("lessons")
    .where("project_id", "=", projectId)
    .where("type", "=", type)
    .where("lesson", "is", null)
    .where("next_version", "is", null)
    .execute();
}

/** What the verdicts of a project teach, and how many statements are asserted or only proposed because of it; by type. */
export async function readTaught(db: Database, projectId: string): Promise<readonly TaughtType[]> {
  const { rows } = await sql<{ type: string; lesson: string; asserted: number; proposed: number }>`
    select l.type, l.lesson,
      (select coalesce(sum(t.asserted), 0) from taught_chunks as t
        where t.project_id = ${projectId} and t.type = l.type) as asserted,
      (select coalesce(sum(t.proposed), 0) from taught_chunks as t
        where t.project_id = ${projectId} and t.type = l.type) as proposed
    from lessons as l where l.project_id = ${projectId} and l.lesson is not null
    order by l.type`.execute(db);
  return rows.map(({ type, lesson, asserted, proposed }) => {
    const { confirmed, rejected } = JSON.parse(lesson) as Lesson; // As in `readLessons`.
    return { type, confirmed, rejected, asserted: Number(asserted), proposed: Number(proposed) };
  });
}
