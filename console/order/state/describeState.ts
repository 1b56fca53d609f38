import type { ChipTone } from '../../ui/elements/Chip.tsx'
import type { DebugReport, Order } from '../loading/loadOrder.ts'
import { computeFilledShare } from './computeFilledShare.ts'

/** `ended`: neutral end without gain or loss */
export type StateTone = 'ok' | 'info' | 'warning' | 'error' | 'ended'

/** Texts for the state of an order; all pages use them. */
export type OrderState = {
  /** short text for the API status */
  status: string
  /** heading of the traded amounts; null without a trade */
  result: string | null
  /** an auction may still trade it */
  isOpen: boolean
  /** action available on the trade page; null without one */
  action: string | null
}

const statuses: Record<Order['status'], string> = {
  presignaturePending: 'Needs on-chain signature',
  open: 'Open',
  fulfilled: 'Filled',
  cancelled: 'Cancelled',
  expired: 'Expired',
}

/** The status of an order in words. */
export const describeStatus = (status: Order['status'], isPartlyFilled: boolean): string =>
  isPartlyFilled && status === 'open'
    ? 'Partially filled'
    : isPartlyFilled && status !== 'fulfilled'
      ? `${statuses[status]}, partially filled`
      : statuses[status]

/** Grey for all that is over without gain or loss; amber only where the owner can act. */
export const toChipTone = (status: Order['status'], isPartlyFilled: boolean): ChipTone => {
  if (status === 'fulfilled') return 'ok'
  if (status === 'presignaturePending') return 'act'
  if (status === 'open') return isPartlyFilled ? 'live' : 'waiting'
  return 'ended'
}

/** Part of the order is traded, but not all. */
export const isPartlyFilled = (order: Order): boolean =>
  order.status !== 'fulfilled' && computeFilledShare(order).filled > 0n

export const describeState = (order: Order): OrderState => {
  const isPartly = isPartlyFilled(order)
  const isOpen = order.status === 'open' || order.status === 'presignaturePending'
  return {
    status: describeStatus(order.status, isPartly),
    result: order.status === 'fulfilled' ? 'Filled' : !isPartly ? null : isOpen ? 'Filled so far' : 'Partially filled',
    isOpen,
    action: !isOpen ? null : order.onchainUser !== undefined ? 'Follow order' : 'Follow or cancel',
  }
}

const verdicts: Record<DebugReport['diagnosis']['severity'], { whole: string; rest: string }> = {
  ok: { whole: 'Ended', rest: 'Ended' },
  info: { whole: 'In progress', rest: 'In progress' },
  warning: { whole: 'May not fill', rest: 'The rest may not fill' },
  error: { whole: 'Cannot fill', rest: 'The rest cannot fill' },
}

/**
 * The diagnosis of an order in a word: only a filled order is a success, and an ended order is described in the past.
 */
export const describeVerdict = (
  order: Order,
  { code, severity }: Pick<DebugReport['diagnosis'], 'code' | 'severity'>,
): { text: string; tone: StateTone } => {
  const isPartly = isPartlyFilled(order)
  switch (order.status) {
    case 'fulfilled':
      return { text: 'Filled', tone: 'ok' }
    case 'cancelled':
      return { text: code === 'replaced' ? 'Replaced' : 'Cancelled', tone: 'ended' }
    case 'expired':
      return isPartly ? { text: 'Partially filled', tone: 'ended' } : { text: 'Not filled', tone: 'ended' }
    default: {
      if (code === 'refunded') return { text: 'Refunded', tone: 'ended' }
      const { whole, rest } = verdicts[severity]
      return { text: isPartly ? rest : whole, tone: severity === 'ok' ? 'ended' : severity }
    }
  }
}
