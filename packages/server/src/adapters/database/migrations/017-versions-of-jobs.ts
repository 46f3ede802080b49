import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** A claim finds the versions before its own, and the jobs that need them, without reading those of all jobs that wait. */
export const versionsOfJobs: Migration = {
  number: 17,
  name: "versions-of-jobs",
  statements: () => [
    sql`drop index versions_by_document`,
    sql`create index versions_by_document on document_versions (project_id, source_doc_id, version_id)`,
    sql`create index jobs_by_version on jobs (project_id, version_id) where queue_state <> 'done'`,
  ],
};
