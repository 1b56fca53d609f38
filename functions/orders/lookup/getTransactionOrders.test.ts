import { afterAll, beforeAll, expect, test } from 'vitest'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getTransactionOrders } from './getTransactionOrders.ts'

const { chainId } = networks.sepolia
const transactionHash = `0x${'cc'.repeat(32)}` as const
const order = newOrder(1, { sellAmount: 1000n, executedSellAmount: 1000n })
const { database, close } = await startTestDatabase()
afterAll(close)

beforeAll(async () => {
  const { uid: orderUid, owner, sellToken, buyToken } = order
  const amounts = { sellAmount: 1000n, buyAmount: 2100n, feeAmount: 0n }
  const place = { chainId, blockNumber: 9, logIndex: 3, settlementLogIndex: 4, transactionHash }
  await storeOrder(database, order)
  await database.insert(trades).values({ ...place, ...amounts, orderUid, owner, sellToken, buyToken })
})

const get = async (hash: string) => {
  const app = getTransactionOrders({ database, chainId, now: () => 0 })
  const response = await app.request(`/api/v1/transactions/${hash}/orders`)
  return { status: response.status, body: await response.json() }
}

test('lists the orders that a transaction traded, whose hash may be in any case', async () => {
  const { status, body } = await get(`0x${transactionHash.slice(2).toUpperCase()}`)
  expect(status).toBe(200)
  expect(body).toMatchObject([{ uid: order.uid, status: 'fulfilled' }])
  expect(body).not.toHaveProperty('0.quote')
})

test('an unknown transaction traded none', async () => {
  expect(await get(`0x${'dd'.repeat(32)}`)).toMatchObject({ status: 200, body: [] })
})

test('finds the orders of a hash without 0x', async () => {
  expect((await get(transactionHash.slice(2))).body).toMatchObject([{ uid: order.uid }])
})

test.each(['0x12', transactionHash.slice(4), order.uid])('%s is no hash: 400', async (hash) => {
  expect(await get(hash)).toMatchObject({
    status: 400,
    body: { errorType: 'InvalidParameter', data: { field: 'hash' } },
  })
})
