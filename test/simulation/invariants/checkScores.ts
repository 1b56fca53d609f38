import type { World } from '../world.ts'
import { expectEqual } from './violation.ts'

/**
 * Scores of recorded solutions are the surplus of their orders in native value, rounded down per order:
 *     sell: (bought − ⌈limitBuy · sold / limitSell⌉) · price(buy)
 *     buy:  (⌊limitSell · bought / limitBuy⌋ − sold) · limitBuy / limitSell · price(buy)
 * and protocol fees count as surplus.
 * @returns a check of the auctions since the last one
 */
export const createScoreCheck = ({ database }: World) => {
  let newest = '0'
  return async (): Promise<void> => {
    const rows = await database.read(
      `select s.auction_id, s.uid, s.score, o.side, o.sell_token, o.buy_token, o.limit_sell, o.limit_buy, o.executed_sell,
          o.executed_buy, o.protocol_fees, a.prices
        from solutions s join solution_orders o on o.auction_id = s.auction_id and o.solution_uid = s.uid
        join auctions a on a.id = s.auction_id where s.auction_id > $1 order by s.auction_id, s.uid`,
      [newest],
    )
    const sums = new Map<string, { stored: bigint; computed: bigint }>()
    for (const row of rows) {
      const key = `${row.auction_id} ${row.uid}`
      const sum = sums.get(key) ?? { stored: BigInt(row.score ?? 0), computed: 0n }
      const prices = JSON.parse(row.prices ?? '{}') as Record<string, string>
      const price = BigInt(prices[`0x${(row.buy_token ?? '').slice(2)}`] ?? 0)
      sum.computed += computeOrderScore(row, price)
      sums.set(key, sum)
      newest = row.auction_id ?? newest
    }
    for (const [key, { stored, computed }] of sums) expectEqual('score', `the score of ${key}`, stored, computed)
  }
}

export const computeOrderScore = (row: Record<string, string | null>, price: bigint): bigint => {
  const [limitSell, limitBuy, sold, bought] = [row.limit_sell, row.limit_buy, row.executed_sell, row.executed_buy].map(
    (text) => BigInt(text ?? 0),
  ) as [bigint, bigint, bigint, bigint]
  const fees = (JSON.parse(row.protocol_fees ?? '[]') as string[]).reduce((total, fee) => total + BigInt(fee), 0n)
  if (row.side === 'sell') return ((bought - divideUp(limitBuy * sold, limitSell) + fees) * price) / 10n ** 18n
  const surplus = (limitSell * bought) / limitBuy - sold + fees
  return (((surplus * limitBuy) / limitSell) * price) / 10n ** 18n
}

const divideUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
