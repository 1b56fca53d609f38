import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import { readTwap, type Twap } from '../../../shared/strategies/twap.ts'
import type { components } from '../../api/openapi.d.ts'
import type { ChipTone } from '../../ui/elements/Chip.tsx'

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
  partPlaced: 'Its newest part entered the order book',
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

type State = { label: string; tone: ChipTone }

/** An order that ends before its last part was stopped: by its owner, or by its handler. */
export const findConditionalState = ({
  state,
  progress: { parts, filled },
  evaluation,
}: Pick<ConditionalOrder, 'state' | 'progress' | 'evaluation'>): State => {
  if (parts !== null && filled >= parts) return { label: 'Filled', tone: 'ok' }
  if (state === 'open') return { label: 'Running', tone: 'live' }
  return { label: evaluation?.reason === 'removed' ? 'Cancelled' : 'Ended', tone: 'ended' }
}

type Part = Pick<ConditionalOrder['parts'][number], 'filled' | 'validTo'>

/** @param state of the conditional order @param now Unix milliseconds */
export const findPartState = ({ filled, validTo }: Part, state: ConditionalOrder['state'], now: number): State => {
  if (filled) return { label: 'Filled', tone: 'ok' }
  if (validTo * 1_000 < now) return { label: 'Expired', tone: 'ended' }
  return state === 'open' ? { label: 'Open', tone: 'waiting' } : { label: 'Cancelled', tone: 'ended' }
}

/** Terms of a TWAP; null for other kinds and malformed ones. */
export const readTerms = ({ handler, staticInput }: Pick<ConditionalOrder, 'handler' | 'staticInput'>): Twap | null => {
  const twap = handler === publicContracts.twap ? readTwap(staticInput as `0x${string}`) : null
  return twap && { ...twap, sellToken: lower(twap.sellToken), buyToken: lower(twap.buyToken) }
}

const lower = (address: `0x${string}`) => address.toLowerCase() as `0x${string}`
