import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { documentHash, newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import type { NewQuote } from '../quotes/quotes.ts'
import { insertOrder, type NewOrder } from './orders.ts'
import { selectPlacementFacts } from './placementFacts.ts'

const chainId: number = networks.sepolia.chainId
const now = 1_900_000_000
const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(async () => {
  await database.delete(quotes)
  await database.delete(orders)
})

const insertQuote = async (changes: Partial<NewQuote> = {}) => {
  const live = { verified: false, expiresAt: new Date(now * 1_000), offeredSellAmount: 493n, offeredBuyAmount: 887n }
  const [row] = await database
    .insert(quotes)
    .values(newQuote({ ...live, ...changes }))
    .returning()
  if (!row) throw new Error('no quote')
  return row
}

const order = newOrder(1, { sellAmount: 500n, buyAmount: 900n })
const select = (changes: Partial<NewOrder> = {}, chain = chainId) =>
  selectPlacementFacts(database, chain, { ...order, quoteId: null, ...changes }, now)
const nothing = { duplicate: null, quote: null, namedQuote: null, fullAppData: null }

test('finds the duplicate, the quote of this chain and the document', async () => {
  const unknown = { appDataHash: `0x${'cd'.repeat(32)}` } as const
  expect(await select(unknown)).toEqual(nothing)
  const quote = await insertQuote()
  await insertOrder(database, order)
  expect(await select({ quoteId: quote.id })).toEqual({
    duplicate: expect.objectContaining({ uid: order.uid, createdAt: expect.any(Date) }),
    quote,
    namedQuote: {
      id: quote.id,
      sellToken: quote.sellToken,
      buyToken: quote.buyToken,
      kind: 'sell',
      feeAmount: 7n,
      offeredSellAmount: 493n,
      offeredBuyAmount: 887n,
      gasAmount: 120_000n,
      expiresAt: quote.expiresAt,
    },
    fullAppData: '{}',
  })
  expect(await select({ uid: orderUidOf(2), appDataHash: documentHash }, 1)).toEqual({ ...nothing, fullAppData: '{}' })
})

describe('the quote of an order', () => {
  const others: [string, Partial<NewQuote>][] = [
    ['expired', { expiresAt: new Date(now * 1_000 - 1) }],
    ['of another amount', { sellAmount: 499n }],
    ['of another kind', { kind: 'buy' }],
    ['for another sell token', { sellToken: networks.sepolia.usdReference.address }],
    ['for another buy token', { buyToken: networks.sepolia.wrappedNative }],
    ['of another network', { chainId: 1 }],
  ]
  test.each(others)('is not one that is %s, named or not', async (_name, changes) => {
    const { id } = await insertQuote(changes)
    expect((await select({ quoteId: id })).quote).toBeNull()
    expect((await select()).quote).toBeNull()
  })

  test('named by an order is looked up by id and chain alone', async () => {
    const expiresAt = new Date(now * 1_000 - 1)
    const { id } = await insertQuote({ expiresAt, sellAmount: 1n })
    expect(await select({ quoteId: id })).toMatchObject({ quote: null, namedQuote: { id, expiresAt } })
    expect((await select({ quoteId: id }, 1)).namedQuote).toBeNull()
    expect((await select()).namedQuote).toBeNull()
  })

  test('matches by the exact amount of the kind', async () => {
    const { id } = await insertQuote({ kind: 'buy' })
    expect((await select({ kind: 'buy', sellAmount: 511n })).quote).toMatchObject({ id })
    expect((await select({ kind: 'buy', buyAmount: 901n })).quote).toBeNull()
  })

  test('named by a sell order also matches by the sell amount after the fee', async () => {
    const { id } = await insertQuote()
    expect((await select({ quoteId: id, sellAmount: 493n })).quote).toMatchObject({ id })
    expect((await select({ sellAmount: 493n })).quote).toBeNull()
    for (const sellAmount of [492n, 494n, 507n]) expect((await select({ quoteId: id, sellAmount })).quote).toBeNull()
    const bought = await insertQuote({ kind: 'buy' })
    expect((await select({ kind: 'buy', quoteId: bought.id, buyAmount: 893n })).quote).toBeNull()
  })

  test('is the named one, requested for any kind of order; else the best for orders over the API', async () => {
    const onchain = await insertQuote({ quoteKind: 'presignonchainorder', buyAmount: 999n, verified: true })
    const worse = await insertQuote({ buyAmount: 899n })
    const best = await insertQuote({ buyAmount: 900n })
    await insertQuote({ buyAmount: 900n, feeAmount: 8n })
    expect((await select({ quoteId: onchain.id })).quote).toMatchObject({ id: onchain.id })
    expect((await select({ quoteId: worse.id })).quote).toMatchObject({ id: worse.id })
    expect((await select()).quote).toMatchObject({ id: best.id })
    expect((await select({ quoteId: 1_000_000 })).quote).toMatchObject({ id: best.id })
    const verified = await insertQuote({ buyAmount: 800n, verified: true })
    expect((await select()).quote).toMatchObject({ id: verified.id })
  })
})

measureRows(selectPlacementFacts, (database, { chainId, sellToken, buyToken, middle: quoteId }) =>
  selectPlacementFacts(database, chainId, { ...newOrder(1, { chainId, sellToken, buyToken }), quoteId }, nowSeconds()),
)
