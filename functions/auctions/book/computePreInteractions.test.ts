import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { computePreInteractions } from './computePreInteractions.ts'

const ofOwner = { target: filledOrder.owner, value: '0', callData: '0x4c84c1c8' } as const
const hooks = { target: networks.sepolia.hooksTrampoline, value: '0', callData: '0x01' } as const
const order = { ...filledOrder, partiallyFillable: true, preInteractions: [ofOwner, hooks] }

test('calls hooks before the first trade, and the owner of the order before each', () => {
  expect(computePreInteractions({ ...order, executedSellAmount: 0n })).toEqual([ofOwner, hooks])
  expect(computePreInteractions({ ...order, executedSellAmount: 1n })).toEqual([ofOwner])
})
