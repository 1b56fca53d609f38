import type { HookOutcome } from '#shared/hooks/hookOutcome.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { newestOf } from './diagnoseEnded.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { Facts } from './diagnosisFacts.ts'

type FailingHook = Pick<HookOutcome, 'hook' | 'target'> & Partial<HookOutcome>

const phases = { pre: ' before the trade', post: ' after the trade' }
const faults = {
  reverted: 'reverts',
  outOfGas: 'runs out of gas',
  noCode: 'does nothing, because there is no contract at its address',
  succeeded: 'succeeds',
}

/**
 * Names hooks that fail beside a diagnosis: those of the newest fill, or of the simulated trade of a waiting order. They
 * stop no trade, so they are never its cause.
 */
export const nameFailingHooks = (diagnosis: Diagnosis, facts: Facts): Diagnosis => {
  if (diagnosis.code === 'hook_reverts') return diagnosis
  const failing = findFailing(facts)
  if (failing.length === 0) return diagnosis
  const names = failing.map(
    ({ phase = 'pre', hook, outcome = 'reverted' }) => `hook ${hook + 1}${phases[phase]} ${faults[outcome]}`,
  )
  const seen = diagnosis.code === 'fulfilled' ? 'In its settlement' : 'In a simulation of its settlement'
  return {
    ...diagnosis,
    message: `${diagnosis.message} ${seen} ${names.join(', ')}; the trade does not depend on it.`,
    data: { ...diagnosis.data, failingHooks: failing },
  }
}

const findFailing = (facts: Facts): FailingHook[] => {
  const evidence = facts.findings?.find(({ check }) => check === 'hooks')?.evidence ?? newestOf(facts, 'traded')?.data
  const outcomes = (evidence?.outcomes ?? evidence?.hooks) as HookOutcome[] | undefined
  const failing = outcomes?.filter(({ outcome }) => outcome !== 'succeeded') ?? []
  const { hook, target } = (evidence ?? {}) as JsonObject & Partial<HookOutcome>
  // a hook before the trade that was simulated alone
  return failing.length === 0 && hook !== undefined && target !== undefined ? [{ hook, target }] : failing
}
