import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orderKey } from './orderKey.ts'
import { toBytes } from './toBytes.ts'

/** Archived auctions in which only losing solutions had the order. */
export const lostWithOrder = (chainId: number, uid: Hex): SQL | undefined =>
  and(
    eq(auctions.chainId, chainId),
    isNotNull(auctions.archiveKey),
    sql`${auctions.losingOrders} @> array[${orderKey(toBytes(uid))}]`,
  )
