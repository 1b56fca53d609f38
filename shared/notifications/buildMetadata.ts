import type { Hex } from 'viem'
import { findNetworkOf } from '../networks.ts'
import type { OrderMetadata, ToAmount } from './metadataShapes.ts'
import type { NotificationFacts } from './notificationFacts.ts'
import { toBps } from './toGain.ts'

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

/** Facts that only some types have: the optional ones. */
type Part = {
  [Name in keyof NotificationFacts]-?: undefined extends NotificationFacts[Name] ? Name : never
}[keyof NotificationFacts]

/**
 * The facts of an event that only some types have.
 * @throws Error when the database stored the event without them
 */
export const getFacts = <Name extends Part>(
  { id, type, facts }: NotifiedEvent,
  part: Name,
): NonNullable<NotificationFacts[Name]> => {
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

const computeFilledBps = (facts: NotificationFacts): number => {
  const [executed, signed] =
    facts.kind === 'sell' ? [facts.executedSellAmount, facts.sellAmount] : [facts.executedBuyAmount, facts.buyAmount]
  return Math.min(toBps(BigInt(executed), BigInt(signed)), 10_000)
}
