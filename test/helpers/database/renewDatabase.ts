import { sql } from 'drizzle-orm'
import type { Database } from '#schema/client.ts'
import { emptyDatabase } from './emptyDatabase.ts'

/** Makes a migrated database as new: no rows, no used sequences, no statistics of the planner. */
export const renewDatabase = async (database: Database): Promise<void> => {
  await emptyDatabase(database)
  await database.execute(sql`
    do $$
    declare
      used record;
      counted text;
    begin
      -- only new files forget how many rows the planner expects
      select string_agg(oid::regclass::text, ', ') into counted from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 0;
      if counted is not null then execute 'truncate ' || counted || ' cascade'; end if;
      for used in select * from pg_sequences where schemaname = 'public' and last_value is not null loop
        execute format('alter sequence %I.%I restart', used.schemaname, used.sequencename);
      end loop;
    end $$`)
  await database.execute(sql`delete from pg_statistic where starelid >= 16384`)
}
