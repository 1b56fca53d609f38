import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { findValidityChoices } from '../draft/validity.ts'
import { describeAmount } from './describeAmount.ts'

/** Sentences that describe the order to sign. @param signed the amounts of the order */
export const describeOrder = (draft: Draft, signed: Amounts): string[] => {
  const { kind, type, sell, buy, receiver, isPartiallyFillable, validFor } = draft
  const [sold, bought] = [describeAmount(sell, signed.sellAmount), describeAmount(buy, signed.buyAmount)]
  const validity = findValidityChoices({ type, validFor }).find(({ seconds }) => seconds === validFor)?.label
  const extent = isPartiallyFillable ? 'up to' : 'exactly'
  const whole = isPartiallyFillable ? ' for all of it' : ''
  return [
    kind === 'sell' ? `You sell ${extent} ${sold}.` : `You buy ${extent} ${bought}.`,
    kind === 'sell'
      ? `You receive at least ${bought}${whole}, after all fees.`
      : `You pay at most ${sold}${whole}, including all fees.`,
    isPartiallyFillable
      ? 'Partial fills are allowed, each at this price or better.'
      : 'Fill or kill: no partial fills.',
    `Valid for ${validity}. You can cancel it before.`,
    ...(receiver ? [`${buy?.symbol ?? 'The bought token'} goes to ${receiver}, not to you.`] : []),
  ]
}

/** Label of the button that wraps or unwraps. */
export const describeWrapping = (direction: 'wrap' | 'unwrap', { sell, amount = 0n }: Draft): string =>
  `${direction === 'wrap' ? 'Wrap' : 'Unwrap'} ${describeAmount(sell, amount)}`

/** Label of the signing button. */
export const describeAction = ({ kind, type, sell, buy, amount = 0n }: Draft): string => {
  const terms = kind === 'sell' ? describeAmount(sell, amount) : describeAmount(buy, amount)
  if (type === 'limit') return `Limit ${kind} ${terms}`
  return `${kind === 'sell' ? 'Swap' : 'Buy'} ${terms}`
}
