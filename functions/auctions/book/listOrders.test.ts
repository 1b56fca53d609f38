import { expect, test } from 'vitest'
import type { KnownCandidate } from '#schema/queries/auctions/candidate.ts'
import { networks } from '#shared/networks.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { noFees } from '#test/helpers/orders/feeRules.ts'
import type { BookDeps } from './bookDeps.ts'
import { createListingCache, listOrders } from './listOrders.ts'

const failed = { failures: 1, lastBlock: 7, bySolver: new Map() }
const rule = { kind: 'surplus', orderClass: 'any', factor: 0.5, maxVolumeFactor: 0.01, from: 100, until: 200 } as const

const candidate = (changes: Partial<KnownCandidate> = {}) =>
  ({
    order: filledOrder,
    quote: null,
    funding: null,
    settlementFailures: null,
    ...changes,
  }) as unknown as KnownCandidate

/** Lists one order in each cut with the same cache. */
const createLister = (policies: BookDeps['feeRules']['policies'] = []) => {
  const cache = createListingCache()
  const deps = { feeRules: { ...noFees, policies }, network: networks.sepolia }
  return (order: KnownCandidate, now = 0) => {
    const listing = listOrders(deps, cache, [order], now).get(order.order.uid)
    if (!listing) throw new Error('not listed')
    return listing
  }
}

test('an unchanged order has the same text and serial number in each cut', () => {
  const list = createLister()
  const first = list(candidate())
  expect(list(candidate())).toBe(first)
  expect(list(candidate({ order: { ...filledOrder } }))).toMatchObject({ serial: first.serial })
  expect(list(candidate({ order: { ...filledOrder } }))?.listed).toBe(first.listed)
})

test('a part that is filled, another certainty, and a fee rule that begins or ends change the text and the serial number', () => {
  const list = createLister([rule])
  const order = { ...filledOrder, partiallyFillable: true }
  const listings = [
    list(candidate({ order })),
    list(candidate({ order: { ...order, executedSellAmount: order.executedSellAmount + 1n } })),
    list(candidate({ order, settlementFailures: failed })),
    list(candidate({ order, settlementFailures: failed }), rule.from),
    list(candidate({ order, settlementFailures: failed }), rule.until),
  ]
  expect(new Set(listings.map(({ serial }) => serial)).size).toBe(listings.length)
  const fees = listings.map(({ listed }) => JSON.parse(listed.body).protocolFees.length)
  expect(fees).toEqual([0, 0, 0, 1, 0])
  const alone = listings.map(({ listed }) => JSON.parse(listed.body).settleAlone ?? false)
  expect(alone).toEqual([false, false, true, true, true])
})
