/** The processes of the database, and the SQL of what is left to the others. */
import { type RawBuilder, sql } from "kysely";
import type { EmbeddingSpace } from "../../../domain/embedding-space.ts";
import type { LeftToOthers, ListedProcess } from "../../../domain/service-process.ts";
import type { ProcessStore } from "../../../ports/process-store.ts";
import type { ProcessRow } from "../process-schema.ts";
import type { Database } from "../schema.ts";

type Input<Name extends keyof ProcessStore> = Parameters<ProcessStore[Name]>[0];

const maxListed = 1_000;

export async function noteProcess(db: Database, input: Input<"noteProcess">): Promise<void> {
  const { process, now, silentSince, goneSince } = input;
  const row: ProcessRow = {
    process_id: process.processId,
    place: process.place,
    version: process.version,
    roles: process.roles.join(","),
    spaces: JSON.stringify(process.spaces),
    reads_with_model: process.readsWithModel ? 1 : 0,
    max_text_bytes: process.maxTextBytes,
    secret_mark: process.secretMark,
    started_at: process.startedAt,
    seen_at: now,
    stopped: 0,
  };
  await db
    .deleteFrom("processes")
    .where("process_id", "<>", process.processId)
    .where((eb) =>
      eb.or([
        eb("seen_at", "<", goneSince),
        eb.and([
          eb("place", "=", process.place),
          eb.or([eb("stopped", "=", 1), eb("seen_at", "<", silentSince)]),
        ]),
      ]),
    )
    .execute();
  await db
    .insertInto("processes")
    .values(row)
    .onConflict((conflict) => conflict.column("process_id").doUpdateSet(row))
    .execute();
}

export async function noteStopped(db: Database, { processId }: Input<"noteStopped">): Promise<void> {
  await db.updateTable("processes").set({ stopped: 1 }).where("process_id", "=", processId).execute();
}

export async function listProcesses(db: Database): Promise<readonly ListedProcess[]> {
  const rows = await db
    .selectFrom("processes")
    .selectAll()
    .orderBy("seen_at", "desc")
    .orderBy("process_id")
    .limit(maxListed)
    .execute();
  return rows.map((row) => ({
    processId: row.process_id,
    place: row.place,
    version: row.version,
    roles: row.roles.split(","),
    spaces: JSON.parse(row.spaces) as readonly EmbeddingSpace[], // Written only by `noteProcess`.
    readsWithModel: row.reads_with_model === 1,
    maxTextBytes: row.max_text_bytes,
    secretMark: row.secret_mark,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    isStopped: row.stopped === 1,
  }));
}

/**
 * Whether the project `p` is left to other processes. Its configuration is searched as text, because the databases read JSON in different
 * ways; within strings JSON escapes quotation marks, so no name looks like another member.
 */
export function isLeft({ spaces, readsWithModel }: LeftToOthers): RawBuilder<boolean> {
  const has = (member: string) => sql<boolean>`p.config like ${`%${escapeLike(member)}%`} escape '!'`;
  const reasons = spaces.map(({ model, dimensions }) => {
    const length = `"embeddingDimensions":${dimensions}`;
    return sql<boolean>`(${has(`"embeddingModel":${JSON.stringify(model)}`)}
      and (${has(`${length},`)} or ${has(`${length}}`)}))`;
  });
  if (readsWithModel) reasons.push(has('"extraction":"model"'));
  return sql<boolean>`(${sql.join(reasons, sql` or `)})`;
}

const escapeLike = (text: string) => text.replace(/[!%_]/g, "!$&");
