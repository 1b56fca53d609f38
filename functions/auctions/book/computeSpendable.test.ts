import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { computeSpendable, findShared } from './computeSpendable.ts'
import { unknownFunds } from './funds/balanceCache.ts'

const { owner, sellToken } = filledOrder
const holding = `${owner}:${sellToken}`
const hook = { target: owner, value: '0', callData: '0x' } as const

const candidate = (n: number, changes: Partial<Candidate['order']> = {}, rest: Partial<Candidate> = {}): Candidate => ({
  order: { ...filledOrder, uid: `0x${n}`, executedSellAmount: 0n, executedBuyAmount: 0n, executedFee: 0n, ...changes },
  ...{ quote: null, funding: null, inFlight: false, sellInFlight: 0n, entered: false },
  ...{ newestLabel: null, newestReason: null, settlementFailures: null, ...rest },
})
const spendable = (candidates: Candidate[], balance: bigint, afterHooks: [Hex, bigint][] = []) => {
  const held = (balance: bigint) => ({ balance, allowance: balance })
  const after = new Map(afterHooks.map(([uid, balance]) => [uid, held(balance)]))
  return [...computeSpendable(candidates, new Map([[holding, held(balance)]]), after)]
}

test('a running settlement of an order with hooks takes what it sells from the other orders of the holding', () => {
  const running = candidate(1, { preInteractions: [hook] }, { inFlight: true, sellInFlight: 1000n })
  const orders = [running, candidate(2), candidate(3, { preInteractions: [hook] })]
  expect(spendable(orders, 1500n, [['0x3', 2500n]])).toEqual([
    ['0x2', { holding, spendable: 500n }],
    ['0x3', { holding, spendable: 1500n }],
  ])
})

test('an order that its settlement must fund, or whose funds are unknown, is not bounded', () => {
  const lent: Candidate['funding'] = { flashloan: null, wrappers: [{ address: owner, data: '0x', isOmittable: false }] }
  for (const exempt of [candidate(1, { signingScheme: 'eip1271' }), candidate(1, {}, { funding: lent })]) {
    expect(spendable([exempt], 999n)).toEqual([])
    expect(spendable([exempt], 1000n)).toEqual([['0x1', { holding, spendable: 1000n }]])
  }
  expect(spendable([candidate(1, { preInteractions: [hook] })], 1000n)).toEqual([])
  expect([...computeSpendable([candidate(1)], new Map([[holding, unknownFunds]]), new Map())]).toEqual([])
})

test('finds the orders that share a holding, those in flight included', () => {
  const orders = [candidate(1, {}, { inFlight: true }), candidate(2, { signingScheme: 'eip1271' })]
  const other = candidate(3, { sellToken: filledOrder.buyToken })
  expect([...findShared([...orders, other])]).toEqual(orders)
})
