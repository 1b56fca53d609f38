import type { FeeShare, PlacedOrder } from '../world.ts'

const wholeBps = 10_000n

type Executed = { sold: bigint; bought: bigint }

/** Fees of an order in the order of application: those of the protocol, then that of its partner. */
export const listFeeShares = (fees: readonly FeeShare[], { partnerFee }: PlacedOrder): readonly FeeShare[] =>
  partnerFee ? [...fees, partnerFee] : fees

/**
 * Fees in executed amounts, in the order of application. They are undone the other way round, each of the amount that moves
 * after it:
 *     volume v     sell: moved · v / (1 − v)    buy: moved · v / (1 + v)
 *     surplus f    min(gain · f / (1 − f), moved · m / (1 ∓ m)) with the cap m
 *     improvement  the same, of the gain over the quote after its network fee, or over the limit where that is better
 * The client's amounts of a quote are rounded: the gain over them is up to one atom more than that of the service.
 * @returns atoms of the buy token for a sell order, of the sell token for a buy order
 */
export const computeOwedFees = (
  shares: readonly FeeShare[],
  order: Pick<PlacedOrder, 'kind' | 'sellAmount' | 'buyAmount' | 'quoted'>,
  { sold, bought }: Executed,
): bigint[] => {
  const isSell = order.kind === 'sell'
  const scale = ({ sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint }) =>
    isSell ? (buyAmount * sold + sellAmount - 1n) / sellAmount : (sellAmount * bought) / buyAmount
  const limit = scale(order)
  const quoted = order.quoted ? scale(order.quoted) : limit
  const better = isSell === quoted > limit ? quoted : limit
  const toVolumeFee = (moved: bigint, bps: bigint) => (moved * bps) / (isSell ? wholeBps - bps : wholeBps + bps)
  const toFee = (share: FeeShare, moved: bigint): bigint => {
    if (share.kind === 'volume') return toVolumeFee(moved, share.bps)
    const from = share.kind === 'surplus' ? limit : better
    const gain = isSell ? moved - from : from - moved
    const part = gain > 0n ? (gain * share.bps) / (wholeBps - share.bps) : 0n
    const cap = toVolumeFee(moved, share.capBps)
    return part < cap ? part : cap
  }
  let moved = isSell ? bought : sold
  return shares
    .toReversed()
    .map((share) => {
      const fee = toFee(share, moved)
      moved += isSell ? fee : -fee
      return fee
    })
    .toReversed()
}
