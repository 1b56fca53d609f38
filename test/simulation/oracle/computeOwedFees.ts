import type { FeeShare, PlacedOrder } from '../world.ts'

/** Shares of this file are 10⁻¹⁸ */
const whole = 10n ** 18n
const perBps = whole / 10_000n
/** all partner fees of an order together: the default of `MAX_PARTNER_FEE_BPS` */
const partnerLimit = 100n * perBps

type Executed = { sold: bigint; bought: bigint }
type Share = { kind: FeeShare['kind']; share: bigint; cap: bigint }

const toShare = (fee: FeeShare): Share => {
  const share = fee.bps * perBps
  return { kind: fee.kind, share, cap: fee.kind === 'volume' ? share : fee.capBps * perBps }
}

/**
 * Fees of an order in the order of application: those of the protocol, then those of its partners, whose caps compound to the
 * limit at most.
 */
export const listFeeShares = (fees: readonly FeeShare[], { partnerFees }: PlacedOrder): readonly Share[] => {
  let taken = whole
  const capped = partnerFees.map(toShare).map((own) => {
    const left = ((whole + partnerLimit) * whole) / taken - whole
    const cap = own.cap < left ? own.cap : left
    // rounded up: partners get no more than the limit
    taken = (taken * (whole + cap) + whole - 1n) / whole
    return { ...own, cap, share: own.kind === 'volume' ? cap : own.share }
  })
  return [...fees.map(toShare), ...capped]
}

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
  shares: readonly Share[],
  order: Pick<PlacedOrder, 'kind' | 'sellAmount' | 'buyAmount' | 'quoted'>,
  { sold, bought }: Executed,
): bigint[] => {
  const isSell = order.kind === 'sell'
  const scale = ({ sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint }) =>
    isSell ? (buyAmount * sold + sellAmount - 1n) / sellAmount : (sellAmount * bought) / buyAmount
  const limit = scale(order)
  const quoted = order.quoted ? scale(order.quoted) : limit
  const better = isSell === quoted > limit ? quoted : limit
  const toVolumeFee = (moved: bigint, share: bigint) => (moved * share) / (isSell ? whole - share : whole + share)
  const toFee = ({ kind, share, cap }: Share, moved: bigint): bigint => {
    const most = toVolumeFee(moved, cap)
    if (kind === 'volume') return most
    const from = kind === 'surplus' ? limit : better
    const gain = isSell ? moved - from : from - moved
    const part = gain > 0n ? (gain * share) / (whole - share) : 0n
    return part < most ? part : most
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
