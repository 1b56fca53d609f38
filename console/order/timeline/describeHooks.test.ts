import { expect, test } from 'vitest'
import { describeHooks, type HookOutcome } from './describeHooks.ts'

const hook = (phase: HookOutcome['phase'], index: number, outcome: HookOutcome['outcome']): HookOutcome => ({
  ...{ phase, hook: index, outcome },
  target: '0x01',
})

test.each<[HookOutcome[], string]>([
  [[hook('pre', 0, 'succeeded')], 'The hook succeeded'],
  [[hook('pre', 0, 'succeeded'), hook('post', 0, 'succeeded')], 'All 2 hooks succeeded'],
  [
    [hook('pre', 0, 'noCode'), hook('post', 1, 'reverted')],
    'Hook 1 before the trade did nothing: there is no contract at its address, hook 2 after the trade reverted. The trade counts in any case',
  ],
  [[hook('post', 0, 'outOfGas')], 'Hook 1 after the trade ran out of gas. The trade counts in any case'],
])('%j: %s', (hooks, text) => {
  expect(describeHooks(hooks)).toBe(text)
})
