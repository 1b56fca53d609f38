import { afterAll, beforeAll, expect, test } from 'vitest'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { tradeValues } from '#schema/tables/settlements/tradeValues.ts'
import { networks } from '#shared/networks.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getNetworkTrades } from './getNetworkTrades.ts'

const { chainId } = networks.sepolia
const { uid, owner, sellToken, buyToken } = newOrder(1)
const transactionHash = `0x${'cc'.repeat(32)}` as const
const settledAt = new Date('2026-11-01T10:00:00Z')
const { database, close } = await startTestDatabase()
afterAll(close)

const storeTrade = async (blockNumber: number) => {
  const place = { chainId, blockNumber, logIndex: 3 }
  const terms = { sellToken, buyToken, sellAmount: 10n ** 30n, buyAmount: 2n }
  const settlement = { ...place, logIndex: 4, transactionHash, solver: sellToken, settledAt }
  await database
    .insert(trades)
    .values({ ...place, ...terms, transactionHash, orderUid: uid, owner, feeAmount: 3n, settlementLogIndex: 4 })
  await database.insert(settlements).values({ ...settlement, auctionId: 5, gasUsed: 1n, effectiveGasPrice: 1n })
  await database
    .insert(tradeValues)
    .values({ ...place, ...terms, settledAt, trader: owner, solver: sellToken, volume: 7n, surplus: null })
}

beforeAll(async () => {
  for (const blockNumber of [7, 8, 9]) await storeTrade(blockNumber)
  const charged = { executedFee: 4n * 10n ** 27n, executedFeeToken: sellToken, protocolFees: [] }
  await database.insert(executions).values({ chainId, auctionId: 5, orderUid: uid, blockNumber: 9, ...charged })
})

const get = async (query = '') => {
  const response = await getNetworkTrades({ database, network: networks.sepolia }).request(
    `/api/v1/explorer/trades${query}`,
  )
  return { status: response.status, headers: response.headers, body: (await response.json()) as object[] }
}

test('lists trades with exact amounts, cacheable for seconds', async () => {
  const { headers, body } = await get()
  expect(headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(body).toHaveLength(3)
  expect(body[0]).toEqual({
    blockNumber: 9,
    logIndex: 3,
    time: settledAt.toISOString(),
    txHash: transactionHash,
    orderUid: uid,
    owner,
    solver: sellToken,
    auctionId: 5,
    sellToken,
    buyToken,
    sellAmount: `1${'0'.repeat(30)}`,
    buyAmount: '2',
    fee: `4${'0'.repeat(26)}3`,
    volume: '7',
    surplus: null,
    volumeUsd: null,
    surplusUsd: null,
    feeUsd: null,
  })
})

test('values a trade in dollars at the sampled price of the native token', async () => {
  const token = networks.sepolia.wrappedNative
  await database
    .insert(priceSamples)
    .values({ chainId, token, sampledAt: new Date('2026-11-01T09:50:00Z'), price: 2_500 })
  await database.update(tradeValues).set({ volume: 2n * 10n ** 18n, surplus: -(10n ** 14n) })
  expect((await get()).body[0]).toMatchObject({ volumeUsd: 5_000, surplusUsd: -0.25, feeUsd: 20 })
})

test('applies filters and cursor, and the next page has the same filters', async () => {
  const pair = `pair=${sellToken}-${buyToken.toUpperCase().replace('X', 'x')}`
  const { headers, body } = await get(`?${pair}&owner=${owner}&limit=1&cursor=9-3`)
  expect(body).toMatchObject([{ blockNumber: 8 }])
  const [, link = ''] = /^<(\?.*)>; rel="next"$/.exec(headers.get('Link') ?? '') ?? []
  expect(link).toContain(`${pair}&owner=${owner}`)
  expect((await get(link)).body).toMatchObject([{ blockNumber: 7 }])
  const stranger = `0x${'0e'.repeat(20)}`
  expect((await get(`?pair=${sellToken}-${stranger}`)).body).toEqual([])
  expect((await get(`?owner=${stranger}`)).body).toEqual([])
})

test.each([`pair=${sellToken}`, 'cursor=8', 'cursor=8-x', 'limit=x'])('%s is refused', async (query) => {
  const { status, body } = await get(`?${query}`)
  expect(status).toBe(400)
  expect(body).toMatchObject({ errorType: 'InvalidParameter', data: { field: query.split('=')[0] } })
})
