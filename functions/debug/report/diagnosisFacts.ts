import type { DebugFacts } from '#schema/queries/debug/debugReport.ts'
import type { Finding } from '#shared/orders/verdict/finding.ts'
import type { FindToken } from '#shared/tokens/tokenWords.ts'
import type { FillableNow } from '../simulation/fillableNow.ts'
import type { Words } from './evidenceTokens.ts'

export type DiagnosisFacts = Pick<
  DebugFacts,
  'events' | 'solutions' | 'attempts' | 'membership' | 'currentAuction' | 'trades'
>

/** Facts looked up for one response. */
export type LiveFacts = {
  /** the verdict on an unfilled order of the auctions (`isWaiting`) */
  findings?: readonly Finding[] | undefined
  fillableNow?: FillableNow
  find?: FindToken
}

/** All that a diagnosis is computed from. */
export type Facts = DiagnosisFacts & { findings: readonly Finding[] | undefined; words: Words; hasExpired: boolean }
export type Event = DebugFacts['events'][number]

/** Time that solvers have before a missing proposal counts. */
export const graceMs = 15_000
