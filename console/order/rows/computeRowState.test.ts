import { expect, test } from 'vitest'
import { sampleOrder } from '../../testing/sampleOrder.ts'
import { computeRowState } from './computeRowState.ts'

const order = sampleOrder({ sellAmount: '1000', feeAmount: '0', executedSellAmount: '0', status: 'open' })
const enough = { balance: 1_000n, allowance: 1_000n }

test('an open order needs its balance first, then its approval', () => {
  expect(computeRowState(order, enough)).toEqual({ tone: 'waiting', label: 'Open', needed: null })
  expect(computeRowState(order, { balance: 999n, allowance: 0n })).toMatchObject({
    tone: 'act',
    label: 'Balance too low',
  })
  expect(computeRowState(order, { balance: 1_000n, allowance: 999n })).toEqual({
    tone: 'act',
    label: 'Needs approval',
    needed: 1_000n,
  })
})

test('a partially fillable order needs a part of both', () => {
  const part = sampleOrder({ ...order, partiallyFillable: true })
  expect(computeRowState(part, { balance: 1n, allowance: 1n }).tone).toBe('waiting')
  expect(computeRowState(part, { balance: 0n, allowance: 1n }).label).toBe('Balance too low')
})

test('an ended order and an unknown balance need nothing', () => {
  const nothing = { balance: 0n, allowance: 0n }
  expect(computeRowState(sampleOrder({ ...order, status: 'expired' }), nothing)).toMatchObject({ tone: 'ended' })
  expect(computeRowState(order, undefined)).toMatchObject({ label: 'Open' })
})
