import type { TradeTerms } from './tradeTerms.ts'

type Choice = { seconds: number; label: string }

/** How long an order may wait. A quote, and so an order at its price, is for three hours at most. */
export const validityChoices: Record<TradeTerms['type'], readonly [Choice, ...Choice[]]> = {
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

const defaults: Record<TradeTerms['type'], number> = { market: 1_800, limit: 604_800 }

/** The longest that a quote is asked for; a limit order may live longer than the quote that it is compared with. */
export const maxQuoteSeconds = 7_200

/** Seconds that the order of these terms is valid for; at the price of a quote no longer than the quote is asked for. */
export const computeValidFor = ({ type, validFor }: Pick<TradeTerms, 'type' | 'validFor'>): number => {
  const seconds = validFor ?? defaults[type]
  return type === 'market' ? Math.min(seconds, maxQuoteSeconds) : seconds
}

/** Those of the type, and what a link asks for when it is none of them. */
export const findValidityChoices = (terms: Pick<TradeTerms, 'type' | 'validFor'>): readonly Choice[] => {
  const choices = validityChoices[terms.type]
  const seconds = computeValidFor(terms)
  return choices.some((choice) => choice.seconds === seconds)
    ? choices
    : [...choices, { seconds, label: `${seconds} seconds` }]
}
