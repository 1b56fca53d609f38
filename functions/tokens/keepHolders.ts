import type { TopHolders } from './findTopHolders.ts'
import { type KeepRules, keepAnswer } from './keepAnswer.ts'
import { ownSourceName } from './ownHolders.ts'

/** Asking our own index again costs a call, asking a provider costs money. */
const ownLifetimeMs = 5_000
const providerLifetimeMs = 300_000
const unknownLifetimeMs = 15_000
/** What clients are told to wait after a failure; the sources are left alone as long. */
const failureLifetimeMs = 1_000

const rules: KeepRules<TopHolders> = {
  lifetimeMs: (answer) => {
    if (answer.status === 'unavailable') return failureLifetimeMs
    if (answer.status === 'unknown') return unknownLifetimeMs
    return answer.source === ownSourceName ? ownLifetimeMs : providerLifetimeMs
  },
  isFailure: ({ status }) => status === 'unavailable',
  staleMs: ({ status }) => (status === 'holders' ? 3_600_000 : 0),
}

/** The holders of one token, kept for as long as the `Cache-Control` of the route says, and for an hour while nobody has them. */
export const keepHolders = (find: () => Promise<TopHolders>, now: () => number): (() => Promise<TopHolders>) =>
  keepAnswer(find, rules, now)
