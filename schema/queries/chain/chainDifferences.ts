import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { chainDifferences } from '../../tables/chain/chainDifferences.ts'
import { ageInSeconds } from '../fragments/ageInSeconds.ts'

/** Replaces the differences of a network; those that continue retain their time. @param current descriptions by subject */
export const writeChainDifferences = async (
  database: Database,
  chainId: number,
  current: ReadonlyMap<string, string>,
): Promise<void> => {
  const rows = JSON.stringify([...current].map(([subject, description]) => ({ subject, description })))
  await database.execute(sql`
    with current as (select * from jsonb_to_recordset(${rows}::jsonb) as c(subject text, description text)),
    ended as (
      delete from ${chainDifferences} where chain_id = ${chainId} and subject not in (select subject from current)
    )
    insert into ${chainDifferences} (chain_id, subject, description)
    select ${chainId}::integer, subject, description from current
    on conflict (chain_id, subject) do update set description = excluded.description`)
}

/** The oldest difference between chain and database, if it has lasted for `seconds`; undefined without one. */
export const selectChainDifference = async (
  database: Database,
  chainId: number,
  seconds: number,
): Promise<string | undefined> => {
  const [oldest] = await database
    .select({ description: chainDifferences.description })
    .from(chainDifferences)
    .where(
      and(eq(chainDifferences.chainId, chainId), sql`${ageInSeconds(sql`${chainDifferences.since}`)} >= ${seconds}`),
    )
    .orderBy(asc(chainDifferences.since), asc(chainDifferences.subject))
    .limit(1)
  return oldest?.description
}
