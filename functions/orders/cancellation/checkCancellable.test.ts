import { expect, test } from 'vitest'
import type { ErrorType } from '#shared/http/errorCatalogue.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { checkCancellable } from './checkCancellable.ts'

const { uid, validTo } = filledOrder
const open: StoredOrder = { ...filledOrder, executedSellAmount: 0n, executedBuyAmount: 0n }
const check = (changes: Partial<StoredOrder>, now = validTo) => checkCancellable({ ...open, ...changes }, now)

test.each<Partial<StoredOrder>>([
  {},
  { signingScheme: 'ethsign' },
  { executedSellAmount: 999n, executedBuyAmount: 2000n, partiallyFillable: true },
])('lets an open order of a key be cancelled: %o', (changes) => {
  expect(() => check(changes)).not.toThrow()
})

test.each<[ErrorType, Partial<StoredOrder>, number?]>([
  ['OrderFullyExecuted', { executedSellAmount: 1000n }],
  ['OrderFullyExecuted', { kind: 'buy', executedBuyAmount: 2000n, signingScheme: 'presign' }, validTo + 1],
  ['OrderFullyExecuted', { executedSellAmount: 1000n, cancelledAt: new Date() }],
  ['AlreadyCancelled', { cancelledAt: new Date() }, validTo + 1],
  ['AlreadyCancelled', { invalidated: true, signingScheme: 'eip1271' }],
  ['OrderExpired', {}, validTo + 1],
  ['OrderExpired', { signingScheme: 'presign' }, validTo + 1],
  ['OrderExpired', { signingScheme: 'eip1271', validTo: 0xffffffff, userValidTo: validTo }, validTo + 1],
  ['OnChainOrder', { signingScheme: 'eip1271', validTo: 0xffffffff, userValidTo: validTo }, validTo],
  ['OnChainOrder', { signingScheme: 'presign' }],
  ['OnChainOrder', { signingScheme: 'presign', presigned: true }],
  ['OnChainOrder', { signingScheme: 'eip1271' }],
])('%s: %o', (errorType, changes, now) => {
  expect(() => check(changes, now)).toThrow(
    expect.objectContaining({ errorType, data: expect.objectContaining({ uid }) }),
  )
})
