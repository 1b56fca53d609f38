import type { Hex } from 'viem'
import { findNetworkOf } from '../networks.ts'
import type { OrderMetadata, TokenAmount, TradeMetadata } from './metadataShapes.ts'
import type { NotificationFacts } from './notificationFacts.ts'

export type ToAmount = (atoms: string | bigint) => TokenAmount

/** An event of an order, with the metadata of the tokens that the trader pays and receives. */
export type NotifiedEvent = {
  id: number
  type: string
  chainId: number
  orderUid: Hex
  facts: NotificationFacts
  toSell: ToAmount
  toBuy: ToAmount
}

/**
 * The facts of an event that only some types have.
 * @throws Error when the database stored the event without them
 */
export const getFacts = <Part extends 'trade' | 'cancellation' | 'funds'>(
  { id, type, facts }: NotifiedEvent,
  part: Part,
): NonNullable<NotificationFacts[Part]> => {
  const found = facts[part]
  if (found === undefined) throw new Error(`notification ${id}, ${type}: its facts have no ${part}`)
  return found
}

/** Metadata of the order. `transactionHash`: of the event. */
export const buildOrderMetadata = (
  { chainId, orderUid, facts, toSell, toBuy }: NotifiedEvent,
  transactionHash: Hex | null = null,
): OrderMetadata => {
  const network = findNetworkOf(chainId)
  const name = network?.name ?? String(chainId)
  return {
    chainId,
    network: name,
    orderUid,
    kind: facts.kind,
    partiallyFillable: facts.partiallyFillable,
    sell: toSell(facts.sellAmount),
    buy: toBuy(facts.buyAmount),
    executed: {
      sell: toSell(facts.executedSellAmount),
      buy: toBuy(facts.executedBuyAmount),
      bps: computeFilledBps(facts),
    },
    validTo: facts.validTo,
    links: {
      order: `/${name}/api/v1/orders/${orderUid}`,
      transaction: network?.explorerUrl && transactionHash ? `${network.explorerUrl}/tx/${transactionHash}` : null,
    },
  }
}

/** Metadata of the order and one of its trades. */
export const buildTradeMetadata = (event: NotifiedEvent): TradeMetadata => {
  const { facts, toSell, toBuy } = event
  const trade = getFacts(event, 'trade')
  const { transactionHash, blockNumber, logIndex } = trade
  const gained = facts.kind === 'sell' ? toBuy : toSell
  return {
    ...buildOrderMetadata(event, transactionHash),
    transactionHash,
    blockNumber,
    logIndex,
    trade: { sell: toSell(trade.sellAmount), buy: toBuy(trade.buyAmount), fee: toSell(trade.feeAmount) },
    surplus: toGain(gained, BigInt(trade.surplus), BigInt(trade.limitAmount)),
    improvement: toImprovement(facts.kind, trade, gained),
  }
}

const computeFilledBps = (facts: NotificationFacts): number => {
  const [executed, signed] =
    facts.kind === 'sell' ? [facts.executedSellAmount, facts.sellAmount] : [facts.executedBuyAmount, facts.buyAmount]
  return Math.min(toBps(BigInt(executed), BigInt(signed)), 10_000)
}

const toImprovement = (
  kind: NotificationFacts['kind'],
  { quotedAmount, sellAmount, buyAmount }: NonNullable<NotificationFacts['trade']>,
  toAmount: ToAmount,
) => {
  if (quotedAmount === null) return null
  const quoted = BigInt(quotedAmount)
  const gain = kind === 'sell' ? BigInt(buyAmount) - quoted : quoted - BigInt(sellAmount)
  return gain > 0n ? toGain(toAmount, gain, quoted) : null
}

const toGain = (toAmount: ToAmount, gain: bigint, base: bigint) => {
  const amount = atLeastZero(gain)
  return { ...toAmount(amount), bps: toBps(amount, base) }
}

/** Rounded down; 0 for an empty whole, capped at the largest safe integer. */
const toBps = (part: bigint, whole: bigint): number => {
  if (whole <= 0n) return 0
  const bps = (part * 10_000n) / whole
  return bps > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(bps)
}

export const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
