import { decodeFunctionData, parseAbi, zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import { encodeTwap } from '../../../shared/strategies/twap.ts'
import { buildRemoval } from './buildRemoval.ts'
import {
  describeEvaluation,
  describeProgress,
  findConditionalState,
  findPartState,
  readTerms,
} from './describeConditional.ts'

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
  const progress = { ...counts, executedSellAmount: '0', executedBuyAmount: '0', averagePrice: null, marketPrice: null }
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

const progress = {
  parts: 2,
  placed: 2,
  filled: 1,
  executedSellAmount: '0',
  executedBuyAmount: '0',
  averagePrice: null,
  marketPrice: null,
}
const removed = { ...evaluation, reason: 'removed' } as const
test.each([
  ['open', progress, evaluation, 'Running'],
  ['ended', { ...progress, filled: 2 }, evaluation, 'Filled'],
  ['open', { ...progress, filled: 2 }, evaluation, 'Filled'],
  ['ended', progress, removed, 'Cancelled'],
  ['ended', progress, evaluation, 'Ended'],
] as const)('an order that is %s with %o and %o is shown as %s', (state, counts, found, label) => {
  expect(findConditionalState({ state, progress: counts, evaluation: found }).label).toBe(label)
})

test.each([
  [true, 'open', 'Filled'],
  [false, 'open', 'Open'],
  [false, 'ended', 'Cancelled'],
] as const)('a valid part with filled=%s of an order that is %s is %s', (filled, state, label) => {
  expect(findPartState({ filled, validTo: 10 }, state, 10_000).label).toBe(label)
  expect(findPartState({ filled, validTo: 9 }, state, 10_000).label).toBe(filled ? 'Filled' : 'Expired')
})

test('the terms of a TWAP are those of its static input, others have none', () => {
  const tokens = { sellToken: `0x${'ab'.repeat(20)}`, buyToken: `0x${'cd'.repeat(20)}`, receiver: zeroAddress } as const
  const amounts = { partSellAmount: 3n, minPartLimit: 2n, t0: 0n, n: 4n, t: 60n, span: 0n }
  const staticInput = encodeTwap({ ...tokens, ...amounts, appData: zeroHash })
  expect(readTerms({ handler: publicContracts.twap, staticInput })).toMatchObject({ ...tokens, ...amounts })
  expect(readTerms({ handler: publicContracts.stopLoss, staticInput })).toBeNull()
  expect(readTerms({ handler: publicContracts.twap, staticInput: '0x12' })).toBeNull()
})
