import type { Quote } from '../quote/quote.ts'

const reasons: Record<NonNullable<Quote['verification']['reason']>, string> = {
  timeout: 'the simulation took too long',
  nodeCannotSimulate: 'the node cannot simulate',
  nodeUnavailable: 'the node does not respond',
  fastQuote: 'fast quotes are not simulated',
  balanceNotSimulated: 'the balance could not be simulated',
  unknownAppData: 'the app data document is unknown',
}

/** Result of the simulation of an offer in words. */
export const describeVerification = ({ verification: { status, reason } }: Quote): string =>
  status === 'passed'
    ? '✓ Simulated: the trade gives these amounts.'
    : `Not simulated${reason ? `: ${reasons[reason]}` : ''}.`
