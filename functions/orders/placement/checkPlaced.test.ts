import { expect, test } from 'vitest'
import type { InsertOutcome } from '#schema/queries/orders/orders.ts'
import type { ErrorType } from '#shared/http/errorCatalogue.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { checkPlaced } from './checkPlaced.ts'

const now = 1_800_000_000
const { uid, owner, createdAt } = filledOrder
const open = { ...filledOrder, executedSellAmount: 0n, executedBuyAmount: 0n }
const replaced = { ...open, activeAuctionId: null }
const stranger = `0x${'99'.repeat(20)}` as const
const refused: InsertOutcome = {
  inserted: false,
  stored: null,
  exceeded: null,
  replaced: null,
  quote: null,
  isQuoteUsed: false,
  namedUntil: null,
}
const check = (outcome: Partial<InsertOutcome>) => {
  const order = { owner, signingScheme: 'eip712' as const, replacedOrder: uid, hooks: { pre: [], post: [] } }
  checkPlaced({ ...refused, ...outcome }, order, 8_000_000n, now)
}

test('accepts an order that is stored', () => {
  expect(() => check({ inserted: true, stored: open })).not.toThrow()
})

test.each<[string, Partial<InsertOutcome>, ErrorType, object]>([
  [
    'an order that was placed in between',
    { stored: open },
    'DuplicatedOrder',
    { uid, status: 'open', creationDate: createdAt.toISOString() },
  ],
  ['a replacement of an unknown order', {}, 'OrderNotFound', { uid }],
  [
    'a replacement of a filled order',
    { replaced: { ...filledOrder, activeAuctionId: null } },
    'OrderFullyExecuted',
    {},
  ],
  [
    "a replacement of another owner's order",
    { replaced: { ...replaced, owner: stranger } },
    'WrongOwner',
    { uid, signer: owner, expected: stranger },
  ],
  [
    'a replacement of an order that solvers bid on',
    { replaced: { ...replaced, activeAuctionId: 77 } },
    'OldOrderActivelyBidOn',
    { uid, auctionId: 77 },
  ],
  ['a replacement whose obstacle is gone', { replaced }, 'ServiceUnavailable', { retryable: true }],
])('refuses %s', (_, outcome, errorType, data) => {
  expect(() => check(outcome)).toThrow(expect.objectContaining({ errorType, data: expect.objectContaining(data) }))
})

test.each([
  ['limitOrders', 'TooManyLimitOrders'],
  ['openOrders', 'TooManyLimitOrders'],
  ['unsignedOfClient', 'TooManyUnsignedOrders'],
  ['unsignedOrders', 'TooManyUnsignedOrders'],
] as const)('refuses an order over the limit %s with %s', (field, errorType) => {
  const exceeded = { field, limit: 1, open: 1 }
  expect(() => check({ exceeded })).toThrow(expect.objectContaining({ errorType, data: exceeded }))
})
