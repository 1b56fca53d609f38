import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { alarms } from '../../tables/alarms/alarms.ts'
import { alerts } from '../../tables/alarms/alerts.ts'

/** A limit that is crossed now; `lastsSeconds`: duration before an alert. */
export type CrossedLimit = { key: string; value: string; lastsSeconds: number }

export type AlarmUpdate = {
  chainId: number
  /** all limits of the network that are crossed now */
  crossed: readonly CrossedLimit[]
  channels: readonly (typeof alerts.$inferSelect)['channel'][]
  reminderSeconds: number
  now: Date
}

/**
 * Updates the alarms of a network and writes the alerts that follow, in one statement: an alarm never changes without
 * its alerts. Concurrent runs lock the same rows and check them again, so each alert is written once.
 * @returns number of alerts written
 */
export const recordAlarms = async (
  database: Database,
  { chainId, crossed, channels, reminderSeconds, now }: AlarmUpdate,
): Promise<number> => {
  const time = sql`${now.toISOString()}::timestamptz`
  const { rows } = await database.execute(sql`
    with crossed as (
      select key, value, make_interval(secs => "lastsSeconds") as lasts
      from jsonb_to_recordset(${JSON.stringify(crossed)}::jsonb) as c(key text, value text, "lastsSeconds" integer)
    ), entered as (
      insert into ${alarms} (chain_id, key, crossed_at, alerts, alerted_at)
      select ${chainId}::integer, key, ${time}, case when lasts > '0' then 0 else 1 end,
        case when lasts > '0' then null else ${time} end
      from crossed
      on conflict do nothing
      returning *
    ), continued as (
      update ${alarms} as a
      set alerts = a.alerts + 1, alerted_at = ${time}
      from crossed
      where a.chain_id = ${chainId} and a.key = crossed.key and a.crossed_at + crossed.lasts <= ${time}
        and (a.alerted_at is null or a.alerted_at + make_interval(secs => ${reminderSeconds}) <= ${time})
      returning a.*
    ), ended as (
      delete from ${alarms}
      where chain_id = ${chainId} and key not in (select key from crossed)
      returning *
    ), news as (
      select key, crossed_at, case when alerts = 1 then 'raised' else 'reminder' end as kind
      from (select * from entered union all select * from continued) as lasting
      where alerts > 0
      union all
      select key, crossed_at, 'resolved' from ended where alerts > 0
    )
    insert into ${alerts} (chain_id, key, kind, channel, value, crossed_at, created_at, next_attempt_at)
    select ${chainId}::integer, news.key, news.kind, channel, crossed.value, news.crossed_at, ${time}, ${time}
    from news
    left join crossed on crossed.key = news.key
    cross join jsonb_array_elements_text(${JSON.stringify(channels)}::jsonb) as channel
    order by news.crossed_at, news.key, channel
    returning id`)
  return rows.length
}
