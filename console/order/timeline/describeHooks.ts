import type { components } from '../../api/openapi.d.ts'

export type HookOutcome = components['schemas']['HookOutcome']

const phases: Record<HookOutcome['phase'], string> = { pre: 'before the trade', post: 'after the trade' }
const faults: Record<Exclude<HookOutcome['outcome'], 'succeeded'>, string> = {
  reverted: 'reverted',
  outOfGas: 'ran out of gas',
  noCode: 'did nothing: there is no contract at its address',
}

/** What the hooks of a trade did, in one sentence: `Hook 2 after the trade reverted. …` */
export const describeHooks = (hooks: readonly HookOutcome[]): string => {
  const failed = hooks.flatMap(({ phase, hook, outcome }) =>
    outcome === 'succeeded' ? [] : [`hook ${hook + 1} ${phases[phase]} ${faults[outcome]}`],
  )
  if (failed.length === 0) return hooks.length === 1 ? 'The hook succeeded' : `All ${hooks.length} hooks succeeded`
  const text = failed.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. The trade counts in any case`
}
