import type { DebugReport, Order } from '../loading/loadOrder.ts'
import { isPartlyFilled } from './describeState.ts'

/** `ended`: neutral end without gain or loss */
export type StateTone = 'ok' | 'info' | 'warning' | 'error' | 'ended'

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
