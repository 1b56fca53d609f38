import { localize } from '../../ui/numbers.ts'

/** Maximum slippage: a market order never accepts less than half. */
export const maxSlippageBps = 5_000

/** Typed percentage in basis points; empty: the suggestion of the quote. */
export const readSlippage = (text: string): { bps?: number; fault?: string } => {
  if (text.trim() === '') return {}
  const [, whole = '', fraction = ''] = /^(\d{0,3})(?:\.(\d{0,2}))?$/.exec(text.trim()) ?? []
  if (whole === '' && fraction === '')
    return { fault: `Enter a percentage with at most two decimals, such as ${localize('0.5')}.` }
  const bps = Number(whole || 0) * 100 + Number(fraction.padEnd(2, '0'))
  return bps > maxSlippageBps ? { fault: `At most ${maxSlippageBps / 100} %.` } : { bps }
}
