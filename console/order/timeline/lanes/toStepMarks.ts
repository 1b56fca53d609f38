import { formatSnakeCase } from '../../../ui/formatSnakeCase.ts'
import type { Step } from '../times/timelineFacts.ts'
import { type Mark, type Tone, toPoint } from './toPoint.ts'

const stepTones: Record<string, Tone> = {
  created: 'info',
  ready: 'info',
  filtered: 'warn',
  invalid: 'bad',
  cancelled: 'plain',
  expired: 'plain',
  undone: 'bad',
}

/** Marks of the steps that change the order; a repeated entry into the auctions is left out. */
export const toStepMarks = (steps: readonly Step[]): Mark[] => {
  let isIn = false
  return steps.flatMap(({ label, reason, timestamp }) => {
    const isAgain = label === 'ready' && isIn
    isIn = label === 'considered' ? isIn : label === 'ready'
    const tone = stepTones[label]
    if (!tone || isAgain) return []
    return [toPoint(Date.parse(timestamp), tone, reason ? `${label}: ${formatSnakeCase(reason)}` : label)]
  })
}
