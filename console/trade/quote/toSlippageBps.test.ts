import { expect, test } from 'vitest'
import { toSlippageBps } from './toSlippageBps.ts'

test('the slippage is the typed value, whatever the quote suggests', () => {
  expect(toSlippageBps({ slippageBps: 10 }, null)).toBe(10)
  expect(toSlippageBps({ slippageBps: 0 }, { slippageBps: 93 })).toBe(0)
})

test('an empty slippage is the suggestion of the quote, at most half', () => {
  expect(toSlippageBps({ slippageBps: 'auto' }, { slippageBps: 93 })).toBe(93)
  expect(toSlippageBps({ slippageBps: 'auto' }, { slippageBps: 5_000 })).toBe(5_000)
  expect(toSlippageBps({ slippageBps: 'auto' }, { slippageBps: 5_001 })).toBeUndefined()
  expect(toSlippageBps({ slippageBps: 'auto' }, null)).toBeUndefined()
})
