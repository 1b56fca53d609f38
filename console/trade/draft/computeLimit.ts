import type { Ratio } from '../../ui/ratio/parseRatio.ts'

export type Amounts = { sellAmount: bigint; buyAmount: bigint }

type Terms = {
  kind: 'sell' | 'buy'
  /** atoms of the exact side */
  amount: bigint
  /** buy tokens for one sell token, whole ones */
  price: Ratio
  decimals: { sell: number; buy: number }
}

/**
 * Both amounts of a limit order. The inexact one is rounded in the owner's favour: the least buy amount up, the
 * greatest sell amount down.
 * sell: ⌈ amount · price · 10^buy / 10^sell ⌉     buy: ⌊ amount / price · 10^sell / 10^buy ⌋
 */
export const computeLimit = ({ kind, amount, price: { numerator, denominator }, decimals }: Terms): Amounts => {
  const perSell = numerator * 10n ** BigInt(decimals.buy)
  const perBuy = denominator * 10n ** BigInt(decimals.sell)
  return kind === 'sell'
    ? { sellAmount: amount, buyAmount: (amount * perSell + perBuy - 1n) / perBuy }
    : { sellAmount: (amount * perBuy) / perSell, buyAmount: amount }
}
