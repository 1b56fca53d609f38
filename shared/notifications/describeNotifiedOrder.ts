import { findNetworkOf } from '../networks.ts'
import type { OrderMetadata, TokenAmount } from './metadataShapes.ts'
import { toAmountText } from './toTokenAmount.ts'

/** ` on Ethereum Mainnet` */
export const describePlace = ({ chainId }: OrderMetadata): string => {
  const network = findNetworkOf(chainId)
  return network ? ` on ${network.label}` : ` on chain ${chainId}`
}

/** `sell 1 WETH for at least 3000 USDC` */
export const describeTerms = ({ kind, sell, buy }: OrderMetadata): string =>
  kind === 'sell'
    ? `sell ${toAmountText(sell)} for at least ${toAmountText(buy)}`
    : `buy ${toAmountText(buy)} for at most ${toAmountText(sell)}`

/** The order with its terms, as the subject of a sentence. */
export const describeNotifiedOrder = (metadata: OrderMetadata): string =>
  `Your order${describePlace(metadata)} to ${describeTerms(metadata)}`

export const describeSwap = (
  kind: OrderMetadata['kind'],
  { sell, buy }: { sell: TokenAmount; buy: TokenAmount },
): string =>
  kind === 'sell'
    ? `sold ${toAmountText(sell)} for ${toAmountText(buy)}`
    : `bought ${toAmountText(buy)} for ${toAmountText(sell)}`
