-- Distributes the tables of a database of the service over the workers of a Citus cluster (docs/citus.md).
-- Run it on the coordinator, in that database, once `kcs-server migrate` has made or changed the tables, while no process of the service runs:
--   psql -v ON_ERROR_STOP=1 -f deploy/citus.sql "$DATABASE_URL"
-- It may be repeated: tables that Citus has already stay as they are.
begin;
set local client_min_messages = warning;
-- One after the other, so that the tables of a transaction may follow each other on the same connections.
set local citus.multi_shard_modify_mode = 'sequential';
do $$
declare
  next regclass;
  first_one regclass;
begin
  for next in
    -- What belongs to a project has it in its primary key.
    select i.indrelid::regclass from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indisprimary and c.relnamespace = current_schema()::regnamespace and a.attname = 'project_id'
      -- Those of accounts have both.
      and not exists (select 1 from pg_attribute b where b.attrelid = c.oid and b.attnum = any (i.indkey) and b.attname = 'account_id')
      -- Projects and their queue: claims, lists and locks look through them, whatever the project.
      and c.relname not in ('projects', 'deleted_projects', 'jobs', 'reembeddings', 'rereads', 'segment_objects')
      and not exists (select 1 from pg_dist_partition p where p.logicalrelid = i.indrelid)
    order by c.relname
  loop
    select logicalrelid into first_one from pg_dist_partition
    where partmethod = 'h' order by logicalrelid::text limit 1;
    perform create_distributed_table(next, 'project_id', colocate_with => coalesce(first_one::text, 'none'));
  end loop;
  -- The others stay on the coordinator, and Citus has to know them: without, it would commit on the worker first and then on the coordinator, which
  -- may fail in between. Those of accounts and keys, which refer to each other, and those that no other table changes with, are left alone.
  for next in
    select c.oid::regclass from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and c.relname not in ('schema_migrations', 'processes')
      and not exists (select 1 from pg_constraint f where f.contype = 'f' and c.oid in (f.conrelid, f.confrelid))
      and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)
    order by c.relname
  loop
    perform citus_add_local_table_to_metadata(next);
  end loop;
end
$$;
commit;
