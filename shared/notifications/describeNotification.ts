import { findNetworkOf } from '../networks.ts'
import type { TokenAmount } from './notificationSchema.ts'
import type { TypedNotification } from './toNotification.ts'
import { toAmountText } from './toTokenAmount.ts'

type Metadata = TypedNotification['metadata']
type MetadataOf<Type extends TypedNotification['type']> = Extract<TypedNotification, { type: Type }>['metadata']

/** Describes a notification in one sentence. Amounts are rounded down; `metadata` has the exact ones. */
export const describeNotification = (notification: TypedNotification): string => {
  const { metadata } = notification
  switch (notification.type) {
    case 'order_filled':
      return `Your order${describePlace(metadata)} ${describeSwap(metadata.kind, metadata.executed)}.`
    case 'order_partially_filled':
      return `A part of your order${describePlace(metadata)} was filled: it ${describeSwap(metadata.kind, notification.metadata.trade)}, and is filled to ${toPercent(metadata.executed.bps)} now.`
    case 'price_improvement':
      return `Your order${describePlace(metadata)} ${describeGain(notification.metadata)}.`
    case 'order_expired':
      return `${describeOrder(metadata)} expired ${describeFilled(metadata)}.`
    case 'order_cancelled':
      return `${describeOrder(metadata)} ${describeCancellation(notification.metadata)}.`
    case 'insufficient_balance':
      return `${describeOrder(metadata)} ${describeShortfall(notification.metadata)}.`
  }
}

const describePlace = ({ chainId }: Metadata): string => {
  const network = findNetworkOf(chainId)
  return network ? ` on ${network.label}` : ` on chain ${chainId}`
}

const describeOrder = (metadata: Metadata): string => {
  const { kind, sell, buy } = metadata
  const terms =
    kind === 'sell'
      ? `sell ${toAmountText(sell)} for at least ${toAmountText(buy)}`
      : `buy ${toAmountText(buy)} for at most ${toAmountText(sell)}`
  return `Your order${describePlace(metadata)} to ${terms}`
}

const describeSwap = (kind: Metadata['kind'], { sell, buy }: { sell: TokenAmount; buy: TokenAmount }): string =>
  kind === 'sell'
    ? `sold ${toAmountText(sell)} for ${toAmountText(buy)}`
    : `bought ${toAmountText(buy)} for ${toAmountText(sell)}`

const describeFilled = ({ executed }: Metadata): string => {
  if (executed.sell.amount === '0') return 'unfilled'
  return `with ${toPercent(executed.bps)} of it filled`
}

const describeGain = ({ kind, surplus, improvement }: MetadataOf<'price_improvement'>): string => {
  const [verb, comparison] = kind === 'sell' ? ['got', 'more'] : ['paid', 'less']
  const overLimit = `${verb} ${toAmountText(surplus)}${describeShare(surplus.bps)} ${comparison} than its limit`
  return improvement ? `${overLimit}, and ${toAmountText(improvement)} ${comparison} than quoted` : overLimit
}

/** Percentages of 1,000 % and more are omitted. */
const describeShare = (bps: number): string => (bps > 0 && bps < 100_000 ? ` (${toPercent(bps)})` : '')

const describeCancellation = (metadata: MetadataOf<'order_cancelled'>): string => {
  const filled = metadata.executed.sell.amount === '0' ? '' : ` ${describeFilled(metadata)}`
  if (metadata.replacedBy) return `was replaced by another order${filled}`
  return `was cancelled${metadata.cancelledBy ? ' on-chain' : ''}${filled}`
}

const describeShortfall = ({ shortfall }: MetadataOf<'insufficient_balance'>): string => {
  const { lacks, needed, available } = shortfall
  const texts = [needed, available].map(toAmountText)
  // exact amounts when rounding hides the difference
  const [needs, has] = texts[0] === texts[1] ? [needed, available].map(toExactText) : texts
  return lacks === 'balance'
    ? `waits for funds: it needs ${needs}, and the account has ${has}`
    : `waits for an approval: it needs ${needs}, and the vault relayer may move ${has}`
}

const toExactText = (amount: TokenAmount): string =>
  amount.formatted === null ? toAmountText(amount) : `${amount.formatted} ${amount.symbol ?? amount.token}`

const toPercent = (bps: number): string => `${(bps / 100).toFixed(2).replace(/\.?0+$/, '')}%`
