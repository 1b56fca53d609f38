import type { TimelineFacts } from './timelineFacts.ts'

/** Identifies a trade among those of an order. */
export const toTradeKey = (hash: string, logIndex: number): string => `${hash} ${logIndex}`

/** Times of trades. Events of the stream name their trade; those of the report do not, but are in the same order. */
export const findTradeTimes = ({ steps, trades }: TimelineFacts): Map<string, number> => {
  const traded = steps.filter(({ label }) => label === 'traded')
  const named = traded.flatMap(({ trade, timestamp }): [string, number][] =>
    trade ? [[toTradeKey(trade.transactionHash, trade.logIndex), Date.parse(timestamp)]] : [],
  )
  if (named.length > 0 || traded.length !== trades.length) return new Map(named)
  return new Map(
    trades
      .toReversed()
      .map(({ txHash, logIndex }, i) => [toTradeKey(txHash, logIndex), Date.parse(traded[i]?.timestamp ?? '')]),
  )
}
