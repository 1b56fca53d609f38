import { decodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { buildRemoval } from './buildRemoval.ts'
import { describeEvaluation, describeProgress } from './describeConditional.ts'

test('a conditional order is removed by a call of the registry with its hash', () => {
  const registry = `0x${'fd'.repeat(20)}`
  const hash = `0x${'ab'.repeat(32)}` as const
  const { to, data } = buildRemoval(registry, hash)
  // as in ComposableCoW
  const abi = parseAbi(['function remove(bytes32 singleOrderHash) external'])
  expect(to).toBe(registry)
  expect(decodeFunctionData({ abi, data: data as `0x${string}` })).toEqual({ functionName: 'remove', args: [hash] })
})

test.each([
  [{ parts: 4, placed: 2, filled: 1 }, '1 of 4 parts filled'],
  [{ parts: null, placed: 2, filled: 1 }, '1 of 2 placed parts filled'],
])('progress %o is described as %s', (counts, text) => {
  const progress = { ...counts, executedSellAmount: '0', executedBuyAmount: '0', averagePrice: null }
  expect(describeProgress({ progress })).toBe(text)
})

const evaluation = { blockNumber: 7, reason: 'notYet', message: null, orderUid: null, slowed: false } as const
test.each([
  [null, 'Not evaluated yet'],
  [evaluation, 'Its next part comes later.'],
  [{ ...evaluation, message: 'before twap start' }, 'Its next part comes later: “before twap start”.'],
  [{ ...evaluation, slowed: true }, 'Its next part comes later. Postponed: too many parts ended without a trade.'],
])('evaluation %o is described as %s', (given, text) => {
  expect(describeEvaluation(given)).toBe(text)
})
