import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What verdicts teach about other relationships of their type. */
export const lessons: Migration = {
  number: 30,
  name: "lessons",
  // Older processes would add facts to the graph without what was taught.
  oldest: 30,
  statements: ({ text, integer, clustered }) => [
    sql`create table judged_facts (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      seq ${integer} not null,
      type ${text} not null,
      judged ${text} not null,
      primary key (project_id, version_id, position, seq)
    ) ${clustered}`,
    sql`create index judged_facts_by_type on judged_facts (project_id, type, seq, judged)`,
    sql`create table lessons (
      project_id ${text} not null,
      type ${text} not null,
      lesson ${text},
      is_outdated ${integer} not null,
      next_version ${integer},
      next_position ${integer} not null,
      primary key (project_id, type)
    ) ${clustered}`,
    sql`create index lessons_left on lessons (project_id) where is_outdated = 1 or next_version is not null`,
    sql`create table taught_chunks (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      type ${text} not null,
      asserted ${integer} not null,
      proposed ${integer} not null,
      primary key (project_id, version_id, position, type)
    ) ${clustered}`,
    sql`create index taught_chunks_by_type on taught_chunks (project_id, type, asserted, proposed)`,
    // The verdicts that are there teach as soon as the graph has followed.
    sql`insert into outdated_facts (project_id, version_id, position)
      select distinct e.project_id, e.version_id, e.position from corrected_chunks as e
      join corrections as c on c.project_id = e.project_id and c.seq = e.seq
      where c.kind in ('confirm', 'reject') and e.version_id > 0 on conflict do nothing`,
  ],
};
