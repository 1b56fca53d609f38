import { sql } from 'drizzle-orm'
import type { Database } from '#schema/client.ts'

/** Empties every table; sequences continue. Tables without pages cost nothing. */
export const emptyDatabase = async (database: Database): Promise<void> => {
  await database.execute(sql`
    do $$
    declare used text;
    begin
      select string_agg(oid::regclass::text, ', ') into used from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0;
      if used is not null then execute 'truncate ' || used || ' cascade'; end if;
    end $$`)
}
