import { expect, test } from 'vitest'
import { networks } from '../networks.ts'
import { buildHookInteractions } from './buildHookInteractions.ts'
import { computeHookGas } from './computeHookGas.ts'
import { computeInteractionGas } from './computeInteractionGas.ts'
import { wrapGas } from './contractOwnerGas.ts'
import { readHooks } from './readHooks.ts'

const { hooksTrampoline, wrappedNative } = networks.sepolia
const hook = { target: wrappedNative, callData: '0x1234', gasLimit: 100_000n } as const

test.each([
  ['no hooks', { pre: [], post: [] }, 0n],
  ['one', { pre: [hook], post: [] }, 113_040n],
  ['two in a phase share its call', { pre: [], post: [hook, hook] }, 218_080n],
  ['one in each phase', { pre: [hook], post: [hook] }, 226_080n],
  [
    'the largest limits',
    { pre: [{ ...hook, callData: '0x', gasLimit: 2n ** 64n - 1n } as const], post: [] },
    2n ** 64n + 12_999n,
  ],
])('%s', (_, hooks, expected) => {
  expect(computeHookGas(hooks)).toBe(expected)
  const calls = [hooks.pre, hooks.post].flatMap((phase) => buildHookInteractions(hooksTrampoline, phase))
  expect(computeInteractionGas(calls)).toBe(expected)
  expect(readHooks(calls)).toEqual([...hooks.pre, ...hooks.post])
})

test('calls without hooks have a fixed gas', () => {
  const wrapAll = { target: wrappedNative, callData: '0x4c84c1c8' } as const
  expect(readHooks([wrapAll])).toEqual([])
  expect(computeInteractionGas([wrapAll])).toBe(wrapGas)
})
