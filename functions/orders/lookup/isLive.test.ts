import { expect, test } from 'vitest'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { isLive } from './isLive.ts'

const now = 1_800_000_000
const open: StoredOrder = { ...filledOrder, validTo: now, executedSellAmount: 0n, executedBuyAmount: 0n }
const at = (seconds: number) => new Date(seconds * 1_000)

test.each<[boolean, string, Partial<StoredOrder>]>([
  [true, 'open', {}],
  [true, 'waiting for its pre-signature', { signingScheme: 'presign' }],
  [true, 'just cancelled', { cancelledAt: at(now - 600) }],
  [true, 'just expired', { validTo: now - 600 }],
  [false, 'filled', { executedSellAmount: 1000n, cancelledAt: at(now) }],
  [false, 'cancelled long ago', { cancelledAt: at(now - 601) }],
  [false, 'cancelled on-chain', { cancelledAt: at(now), invalidated: true }],
  [false, 'expired long ago', { validTo: now - 601 }],
  [false, 'expired long ago for its user', { validTo: 0xffffffff, userValidTo: now - 601 }],
])('%s: %s', (live, _name, changes) => {
  expect(isLive({ ...open, ...changes }, now)).toBe(live)
})
