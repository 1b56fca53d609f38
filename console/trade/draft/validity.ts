import { formatDuration } from '../../ui/formatDuration.ts'
import type { OrderType, TradeTerms } from './tradeTerms.ts'

type Choice = { seconds: number; label: string }

/** Validity options of an order. A quote, and a market order with it, is valid for at most three hours. */
export const validityChoices: Record<OrderType, readonly [Choice, ...Choice[]]> = {
  market: [
    { seconds: 600, label: '10 minutes' },
    { seconds: 1_800, label: '30 minutes' },
    { seconds: 3_600, label: '1 hour' },
    { seconds: 7_200, label: '2 hours' },
  ],
  limit: [
    { seconds: 3_600, label: '1 hour' },
    { seconds: 86_400, label: '1 day' },
    { seconds: 604_800, label: '1 week' },
    { seconds: 2_592_000, label: '30 days' },
    { seconds: 15_552_000, label: '180 days' },
  ],
}

const defaults: Record<OrderType, number> = { market: 1_800, limit: 604_800 }

/** Longest validity of a quote; a limit order may outlive the quote it is compared with. */
export const maxQuoteSeconds = 7_200

type Terms = Pick<TradeTerms, 'validFor'> & { type: OrderType }

/** Seconds of validity of an order with these terms; a market order is at most as long valid as its quote. */
export const computeValidFor = ({ type, validFor }: Terms): number => {
  const seconds = validFor ?? defaults[type]
  return type === 'market' ? Math.min(seconds, maxQuoteSeconds) : seconds
}

/** Options of the order type, and the link's value when it is not among them. */
export const findValidityChoices = (terms: Terms): readonly Choice[] => {
  const choices = validityChoices[terms.type]
  const seconds = computeValidFor(terms)
  return choices.some((choice) => choice.seconds === seconds)
    ? choices
    : [...choices, { seconds, label: formatDuration(seconds * 1_000) }]
}
