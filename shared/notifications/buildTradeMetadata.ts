import { buildOrderMetadata, getFacts, type NotifiedEvent } from './buildMetadata.ts'
import type { ToAmount, TradeMetadata } from './metadataShapes.ts'
import type { NotificationFacts } from './notificationFacts.ts'
import { toGain } from './toGain.ts'

/** Metadata of the order and one of its trades. */
export const buildTradeMetadata = (event: NotifiedEvent): TradeMetadata => {
  const { facts, toSell, toBuy } = event
  const trade = getFacts(event, 'trade')
  const { transactionHash, blockNumber, logIndex } = trade
  const paidFee = BigInt(trade.feeAmount) + BigInt(trade.executedFee ?? 0)
  const gained = facts.kind === 'sell' ? toBuy : toSell
  return {
    ...buildOrderMetadata(event, transactionHash),
    transactionHash,
    blockNumber,
    logIndex,
    trade: { sell: toSell(trade.sellAmount), buy: toBuy(trade.buyAmount), fee: toSell(paidFee) },
    surplus: toGain(gained, BigInt(trade.surplus), BigInt(trade.limitAmount)),
    improvement: toImprovement(facts.kind, trade, gained),
  }
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
