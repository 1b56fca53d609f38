import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { notificationType } from '../../tables/enums.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { toArray } from '../fragments/toArray.ts'
import type { Notification, StoredNotificationType } from './notifications.ts'

type NotificationFilter = {
  limit: number
  /** upper bound of ids, exclusive */
  before?: number | undefined
  /** all when undefined */
  types?: readonly StoredNotificationType[] | undefined
  /** all when undefined */
  chainIds?: readonly number[] | undefined
}

/** Notifications of an account on all networks, newest first, without retracted ones. */
export const selectNotifications = async (
  database: Database,
  account: Address,
  filter: NotificationFilter,
): Promise<Notification[]> => {
  const { limit, before, types, chainIds } = filter
  const isWanted =
    types || chainIds
      ? sql`${notifications.id} in (${selectFiltered(account, filter)})`
      : and(
          eq(notifications.account, account),
          isNull(notifications.retractedAt),
          before === undefined ? undefined : lt(notifications.id, before),
        )
  return database.select().from(notifications).where(isWanted).orderBy(newestFirst(notifications.id)).limit(limit)
}

/**
 * The newest of each network and type, each read from its own place in an index: notifications of other types cost
 * nothing.
 */
const selectFiltered = (account: Address, { limit, before, types, chainIds }: NotificationFilter): SQL => {
  const isOfAccount = sql`n.account = decode(${account.slice(2)}, 'hex') and n.retracted_at is null`
  const wanted = new Set(types ?? notificationType.enumValues)
  return sql`
    select found.id
    from (${chainIds ? sql`select unnest(${toArray(new Set(chainIds))}::integer[])` : selectChains(isOfAccount)}) as chain(id)
    cross join unnest(${toArray(wanted)}::notification_type[]) as wanted(type)
    cross join lateral (
      select n.id from ${notifications} as n
      where ${isOfAccount} and n.chain_id = chain.id and n.type = wanted.type
        ${before === undefined ? sql`` : sql`and n.id < ${before}`}
      order by n.id desc nulls last limit ${limit}
    ) as found
    order by found.id desc limit ${limit}`
}

/** Networks with notifications of an account, in ascending order. */
const selectChains = (isOfAccount: SQL): SQL => {
  const next = (condition: SQL) => sql`
    (select n.chain_id from ${notifications} as n where ${isOfAccount} ${condition} order by n.chain_id limit 1)`
  return sql`
    with recursive told_on(id) as (
      select ${next(sql``)}
      union all
      select ${next(sql`and n.chain_id > told_on.id`)} from told_on where told_on.id is not null
    )
    select id from told_on where id is not null`
}
