import type { components } from '../../api/openapi.d.ts'

export type ConditionalOrder = components['schemas']['ConditionalOrderWithParts']

type Type = ConditionalOrder['type']
type Evaluation = NonNullable<ConditionalOrder['evaluation']>

export const typeNames: Record<Type, string> = {
  twap: 'TWAP',
  stopLoss: 'Stop loss',
  goodAfterTime: 'Good after time',
  tradeAboveThreshold: 'Trade above threshold',
  perpetualStableSwap: 'Perpetual stable swap',
  other: 'Other conditional order',
}

const reasonTexts: Record<Evaluation['reason'], string> = {
  partPlaced: 'A part is in the order book',
  notYet: 'Its next part comes later',
  tryNextBlock: 'Its condition does not hold now',
  notValid: 'Its handler refuses it now',
  finished: 'It has no further part',
  removed: 'Its owner does not authorise it',
  partRefused: 'The order book does not accept its part',
  failed: 'Its handler failed without a known reason',
  exhausted: 'Its handler used all gas of an evaluation',
}

/** `1 of 2 parts filled`; kinds without a number of parts count those that were placed. */
export const describeProgress = ({
  progress: { parts, placed, filled },
}: Pick<ConditionalOrder, 'progress'>): string =>
  parts === null ? `${filled} of ${placed} placed parts filled` : `${filled} of ${parts} parts filled`

/** What the newest evaluation found, with the words of the handler. */
export const describeEvaluation = (evaluation: Evaluation | null): string => {
  if (!evaluation) return 'Not evaluated yet'
  const { reason, message, slowed } = evaluation
  const words = message ? `: “${message}”` : ''
  return `${reasonTexts[reason]}${words}.${slowed ? ' Postponed: too many parts ended without a trade.' : ''}`
}
