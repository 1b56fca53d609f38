import type { Hex } from 'viem'
import type { WinningSolution } from '#schema/queries/auctions/solutions.ts'
import type { Shortfall } from '#schema/tables/settlements/settlements.ts'

/** Traded amounts of an order, atoms. */
export type Amounts = { sellAmount: bigint; buyAmount: bigint }

/** Maximum number of shortfalls recorded per settlement. */
const maxShortfalls = 100

/** Amounts of an order that was not traded. */
export const noAmounts: Amounts = { sellAmount: 0n, buyAmount: 0n }

/** Orders of a winning solution that received less than promised, and stored ones that it did not contain. */
export const computeShortfalls = (
  { orders }: { orders: readonly Pick<WinningSolution['orders'][number], 'uid' | 'executedSell' | 'executedBuy'>[] },
  settled: ReadonlyMap<Hex, Amounts>,
  isListed: (uid: Hex) => boolean,
): Shortfall[] => {
  const short = orders.flatMap(({ uid, executedSell: sellAmount, executedBuy: buyAmount }): Shortfall[] => {
    const amounts = settled.get(uid) ?? noAmounts
    const promised = { sellAmount, buyAmount }
    return isShort(amounts, promised) ? [{ orderUid: uid, promised: toTexts(promised), settled: toTexts(amounts) }] : []
  })
  const known = new Set(orders.map(({ uid }) => uid))
  const added = [...settled].flatMap(([uid, amounts]): Shortfall[] =>
    known.has(uid) || !isListed(uid) ? [] : [{ orderUid: uid, promised: null, settled: toTexts(amounts) }],
  )
  return [...short, ...added].slice(0, maxShortfalls)
}

/** Whether an order buys less, or sells more per bought atom. */
const isShort = (settled: Amounts, promised: Amounts): boolean =>
  settled.buyAmount < promised.buyAmount ||
  settled.sellAmount * promised.buyAmount > promised.sellAmount * settled.buyAmount

const toTexts = ({ sellAmount, buyAmount }: Amounts) => ({
  sellAmount: sellAmount.toString(),
  buyAmount: buyAmount.toString(),
})
