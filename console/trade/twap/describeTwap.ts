import { formatDuration } from '../../ui/formatDuration.ts'
import { shorten } from '../../ui/shorten.ts'
import type { Draft } from '../draft/draft.ts'
import { describeAmount } from '../signing/describeAmount.ts'
import type { TwapStepName } from './buildTwapCalls.ts'

type Choice = { seconds: number; label: string }

const choices: readonly Choice[] = [
  { seconds: 300, label: '5 minutes' },
  { seconds: 600, label: '10 minutes' },
  { seconds: 1_800, label: '30 minutes' },
  { seconds: 3_600, label: '1 hour' },
  { seconds: 21_600, label: '6 hours' },
  { seconds: 86_400, label: '1 day' },
  { seconds: 604_800, label: '1 week' },
]

/** Times between two parts, with that of the link when it is not among them. */
export const findIntervals = (seconds: number): readonly Choice[] =>
  choices.some((choice) => choice.seconds === seconds)
    ? choices
    : [...choices, { seconds, label: formatDuration(seconds * 1_000) }]

type Facts = {
  /** of the whole amount */
  draft: Draft
  parts: number
  /** seconds */
  every: number
  /** sell token atoms of all parts */
  total: bigint
  fallbackHandler: string
  composableCow: string
}

/** A call of a creation in a sentence. */
export const describeStep = (
  step: TwapStepName,
  { draft: { sell }, parts, every, total, fallbackHandler, composableCow }: Facts,
): string => {
  switch (step) {
    case 'wrap':
      return `Wraps ${describeAmount(sell, total)}.`
    case 'setFallbackHandler':
      return `Changes the fallback handler of your Safe to ${shorten(fallbackHandler)}: signatures of its owners stay valid, and contracts may verify others.`
    case 'setDomainVerifier':
      return `Lets the registry of conditional orders ${shorten(composableCow)} verify orders of your Safe.`
    case 'approve':
      return `Allows the vault relayer to spend ${describeAmount(sell, total)} more.`
    case 'create': {
      const interval = findIntervals(every).find(({ seconds }) => seconds === every)?.label
      return `Creates ${parts} parts: the first one starts with this transaction, the next ones every ${interval}. You can cancel the rest at any time.`
    }
  }
}

/** Label of the button that creates it. */
export const describeCreation = ({ sell }: Draft, parts: number, total: bigint): string =>
  `Sell ${describeAmount(sell, total)} in ${parts} parts`
