import { pad, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feePolicies } from '#schema/tables/auctions/feePolicies.ts'
import { orderQuotes } from '#schema/tables/quotes/orderQuotes.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getTrades } from './getTrades.ts'

const { chainId } = networks.sepolia
const { uid, owner, sellToken, buyToken } = newOrder(1)
const transactionHash = `0x${'cc'.repeat(32)}` as const
const { database, close } = await startTestDatabase()
afterAll(close)

/** Stores a trade of the order in its own block, settled in the auction with the number of the block. */
const storeTrade = async (blockNumber: number) => {
  const place = { chainId, blockNumber, transactionHash }
  const amounts = { sellAmount: 1000n, buyAmount: 2100n, feeAmount: 10n }
  await database
    .insert(trades)
    .values({ ...place, logIndex: 3, settlementLogIndex: 4, orderUid: uid, owner, sellToken, buyToken, ...amounts })
  const solver = pad(toHex(blockNumber), { size: 20 })
  const gas = { gasUsed: 1n, effectiveGasPrice: 1n }
  await database
    .insert(settlements)
    .values({ ...place, logIndex: 4, solver, auctionId: blockNumber, solutionUid: 0, ...gas })
}

beforeAll(async () => {
  await storeOrder(database, newOrder(1))
  const amounts = { sellAmount: 1n, buyAmount: 2n, feeAmount: 3n, gasAmount: 1n, gasPrice: 1n, sellTokenPrice: 1 }
  await database
    .insert(orderQuotes)
    .values({ chainId, orderUid: uid, quoteId: 7, ...amounts, solver: owner, verified: true, metadata: {} })
  await storeTrade(9)
  const auction = { chainId, auctionId: 9, orderUid: uid }
  const protocolFees = ['5', '6', '7'].map((amount) => ({ token: buyToken, amount }))
  await database
    .insert(executions)
    .values({ ...auction, blockNumber: 9, executedFee: 1n, executedFeeToken: sellToken, protocolFees })
  await database.insert(feePolicies).values([
    { ...auction, applicationOrder: 0, kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01 },
    { ...auction, applicationOrder: 1, kind: 'volume', volumeFactor: 0.0002 },
    {
      ...auction,
      applicationOrder: 2,
      kind: 'priceImprovement',
      priceImprovementFactor: 0.3,
      priceImprovementMaxVolumeFactor: 0.02,
    },
  ])
})

const get = async (pathAndQuery: string, headers: Record<string, string> = {}) => {
  const response = await getTrades({ database, chainId }).request(`/api/${pathAndQuery}`, { headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
}

test('a trade has the fees that it paid', async () => {
  expect(await get(`v2/trades?orderUid=${uid}`)).toMatchObject({ status: 200 })
  expect((await get(`v2/trades?orderUid=${uid}`)).body).toEqual([
    {
      blockNumber: 9,
      logIndex: 3,
      orderUid: uid,
      owner,
      sellToken,
      buyToken,
      sellAmount: '1000',
      sellAmountBeforeFees: '990',
      buyAmount: '2100',
      txHash: transactionHash,
      executedProtocolFees: [
        { policy: { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } }, amount: '5', token: buyToken },
        { policy: { volume: { factor: 0.0002 } }, amount: '6', token: buyToken },
        {
          policy: {
            priceImprovement: {
              factor: 0.3,
              maxVolumeFactor: 0.02,
              quote: { sellAmount: '1', buyAmount: '2', fee: '3' },
            },
          },
          amount: '7',
          token: buyToken,
        },
      ],
    },
  ])
})

test('an order UID without 0x filters as well', async () => {
  expect((await get(`v2/trades?orderUid=${uid.slice(2)}`)).body).toMatchObject([{ orderUid: uid }])
})

test('a trade has no fees before its settlement is attributed', async () => {
  await storeTrade(8)
  const { body } = await get(`v2/trades?orderUid=${uid}`)
  expect(body).toMatchObject([{ blockNumber: 9 }, { blockNumber: 8, executedProtocolFees: [] }])
})

test.each(['v1', 'v2'])('%s: unchanged trades are 304', async (version) => {
  const { headers } = await get(`${version}/trades?owner=${owner}`)
  expect(headers.get('Cache-Control')).toBe('no-cache')
  const ifNoneMatch = { 'If-None-Match': headers.get('ETag') ?? '' }
  expect((await get(`${version}/trades?owner=${owner}`, ifNoneMatch)).status).toBe(304)
  await storeTrade(version === 'v1' ? 7 : 6)
  expect((await get(`${version}/trades?owner=${owner}`, ifNoneMatch)).status).toBe(200)
})

test('filters by an owner, in any case, or an order; v2 has pages of ten, v1 has all', async () => {
  for (let block = 10; block < 20; block += 1) await storeTrade(block)
  const blocks = async (pathAndQuery: string) =>
    (await get(pathAndQuery)).body.map(({ blockNumber }: { blockNumber: number }) => blockNumber)
  const upperCase = `0x${owner.slice(2).toUpperCase()}`
  expect(await blocks(`v2/trades?owner=${upperCase}&offset=5&limit=2`)).toEqual([14, 13])
  expect(await blocks(`v2/trades?owner=0x${'0e'.repeat(20)}`)).toEqual([])
  expect(await blocks(`v2/trades?orderUid=${uid}`)).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11, 10])
  expect((await blocks(`v1/trades?orderUid=${uid}`)).length).toBeGreaterThan(10)
  expect(await blocks(`v1/trades?orderUid=${newOrder(2).uid}`)).toEqual([])
})

test('v1 returns the newest thousand trades', async () => {
  const amounts = { sellAmount: 1n, buyAmount: 1n, feeAmount: 0n }
  const place = { chainId, blockNumber: 30, transactionHash, settlementLogIndex: 2_000 }
  const rows = Array.from({ length: 1_001 }, (_, logIndex) => ({
    ...{ ...place, ...amounts, logIndex, orderUid: uid, owner, sellToken, buyToken },
  }))
  await database.insert(trades).values(rows)
  const { body } = await get(`v1/trades?orderUid=${uid}`)
  expect(body).toHaveLength(1_000)
  expect([body[0].logIndex, body.at(-1).logIndex]).toEqual([1_000, 1])
})

test.each([
  ['v1/trades', 'InvalidTradeFilter'],
  ['v2/trades', 'InvalidTradeFilter'],
  [`v2/trades?owner=${owner}&orderUid=${uid}`, 'InvalidTradeFilter'],
  ['v2/trades?owner=0x12', 'InvalidParameter'],
  [`v2/trades?owner=${owner}&owner=${owner}`, 'InvalidParameter'],
  [`v2/trades?owner=${owner}&limit=0`, 'InvalidLimit'],
  [`v2/trades?owner=${owner}&limit=1001`, 'InvalidLimit'],
  [`v2/trades?owner=${owner}&limit=-1`, 'InvalidParameter'],
  [`v2/trades?owner=${owner}&offset=x`, 'InvalidParameter'],
  [`v2/trades?owner=${owner}&offset=10001`, 'InvalidParameter'],
])('%s → 400 %s', async (pathAndQuery, errorType) => {
  expect(await get(pathAndQuery)).toMatchObject({ status: 400, body: { errorType } })
})
