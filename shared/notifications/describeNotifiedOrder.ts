import { findNetworkOf } from '../networks.ts'
import type { OrderMetadata, TokenAmount } from './metadataShapes.ts'
import { toAmountText } from './toTokenAmount.ts'

/** ` on Ethereum Mainnet` */
export const describePlace = ({ chainId }: OrderMetadata): string => {
  const network = findNetworkOf(chainId)
  return network ? ` on ${network.label}` : ` on chain ${chainId}`
}

/** The order with its terms, as the subject of a sentence. */
export const describeNotifiedOrder = (metadata: OrderMetadata): string => {
  const { kind, sell, buy } = metadata
  const terms =
    kind === 'sell'
      ? `sell ${toAmountText(sell)} for at least ${toAmountText(buy)}`
      : `buy ${toAmountText(buy)} for at most ${toAmountText(sell)}`
  return `Your order${describePlace(metadata)} to ${terms}`
}

export const describeSwap = (
  kind: OrderMetadata['kind'],
  { sell, buy }: { sell: TokenAmount; buy: TokenAmount },
): string =>
  kind === 'sell'
    ? `sold ${toAmountText(sell)} for ${toAmountText(buy)}`
    : `bought ${toAmountText(buy)} for ${toAmountText(sell)}`

export const describeFilled = ({ executed }: OrderMetadata): string => {
  if (executed.sell.amount === '0') return 'unfilled'
  return `with ${toPercent(executed.bps)} of it filled`
}

/** ` (12.5%)`; percentages of 1,000 % and more are omitted. */
export const describeShare = (bps: number): string => (bps > 0 && bps < 100_000 ? ` (${toPercent(bps)})` : '')

/** The amount without rounding. */
export const toExactText = (amount: TokenAmount): string =>
  amount.formatted === null ? toAmountText(amount) : `${amount.formatted} ${amount.symbol ?? amount.token}`

/** Basis points as `12.5%`. */
export const toPercent = (bps: number): string => `${(bps / 100).toFixed(2).replace(/\.?0+$/, '')}%`
