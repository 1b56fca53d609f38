import { and, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { conditionalParts } from '../../tables/orders/conditionalParts.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isEventKey } from '../strategies/conditionalEvents.ts'

/** Two tokens in any order. */
export type TokenPair = readonly [Address, Address]

/**
 * Selects events of one order; of the orders that an account owns or had placed by a contract, and of its conditional orders;
 * of the latter and their parts only; of the orders of a pair; trades, of a pair or of all; or events of auctions.
 */
export type LogTopic =
  | { orderUid: Hex }
  | { account: Address }
  | { conditional: Address }
  | { pair: TokenPair }
  | { trades: TokenPair | 'all' }
  | { auctions: 'all' }

/** Topics for which a part of the log is searched; an order has an index. */
export type SearchedTopic = Exclude<LogTopic, { orderUid: Hex }>

/** The owner whose conditional orders belong to a topic. */
export const findConditionalOwner = (topic: SearchedTopic): Address | undefined => {
  if ('account' in topic) return topic.account
  return 'conditional' in topic ? topic.conditional : undefined
}

/** @param events columns of an event, beside `orders` with its order, or without one */
export const isOfTopic = (
  topic: SearchedTopic,
  events: { orderUid: SQL; label: SQL; auctionId: SQL },
): SQL | undefined => {
  if ('auctions' in topic) return and(isNotNull(orders.uid), sql`${events.auctionId} is not null`)
  if (!('trades' in topic)) {
    const owner = findConditionalOwner(topic)
    return or(isOrderOfTopic(topic), owner && isEventKey(events.orderUid, owner))
  }
  const isTrade = sql`${events.label} = 'traded'`
  return topic.trades === 'all' ? isTrade : and(isTrade, isOfPair(topic.trades))
}

/** Topics of all events of some orders. */
export type OrdersTopic = { account: Address } | { conditional: Address } | { pair: TokenPair }

export const isOrderOfTopic = (topic: OrdersTopic): SQL | undefined => {
  if ('pair' in topic) return isOfPair(topic.pair)
  if ('conditional' in topic) return and(eq(orders.owner, topic.conditional), isPart)
  return or(eq(orders.owner, topic.account), eq(orders.onchainUser, topic.account))
}

/** Whether the clock placed an order for a conditional order. */
export const isPart = sql<boolean>`exists (select from ${conditionalParts}
  where ${conditionalParts.chainId} = ${orders.chainId} and ${conditionalParts.orderUid} = ${orders.uid})`

const isOfPair = ([one, other]: TokenPair): SQL | undefined =>
  or(
    and(eq(orders.sellToken, one), eq(orders.buyToken, other)),
    and(eq(orders.sellToken, other), eq(orders.buyToken, one)),
  )
