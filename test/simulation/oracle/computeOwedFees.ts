import type { FeeTerms, PlacedOrder } from '../world.ts'

const wholeBps = 10_000n

type Executed = { sold: bigint; bought: bigint }

/**
 * Protocol fees in executed amounts, in the order of application: first of the volume, then of the surplus over the limit.
 * Undone the other way round, each of the amount that moves after it:
 *     surplus    min(gain · f / (1 − f), moved · m / (1 ∓ m)) with the cap m
 *     volume     sell: moved · v / (1 − v)    buy: moved · v / (1 + v)
 * @returns atoms of the buy token for a sell order, of the sell token for a buy order
 */
export const computeOwedFees = (
  { volumeBps, surplusBps, capBps }: FeeTerms,
  order: Pick<PlacedOrder, 'kind' | 'sellAmount' | 'buyAmount'>,
  { sold, bought }: Executed,
): bigint[] => {
  const isSell = order.kind === 'sell'
  const toVolumeFee = (moved: bigint, bps: bigint) => (moved * bps) / (isSell ? wholeBps - bps : wholeBps + bps)
  const limit = isSell
    ? (order.buyAmount * sold + order.sellAmount - 1n) / order.sellAmount
    : (order.sellAmount * bought) / order.buyAmount
  const gain = isSell ? bought - limit : limit - sold
  const share = gain > 0n ? (gain * surplusBps) / (wholeBps - surplusBps) : 0n
  const cap = toVolumeFee(isSell ? bought : sold, capBps)
  const surplusFee = share < cap ? share : cap
  return [toVolumeFee(isSell ? bought + surplusFee : sold - surplusFee, volumeBps), surplusFee]
}
