import { expect, test } from 'vitest'
import type { SelectedTrade } from '#schema/queries/settlements/trades.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { getTrades } from './getTrades.ts'

const { uid, owner, sellToken, buyToken } = filledOrder
const transactionHash = `0x${'cc'.repeat(32)}` as const

const selected: SelectedTrade = {
  trade: {
    chainId: 1,
    blockNumber: 9,
    logIndex: 3,
    transactionHash,
    orderUid: uid,
    owner,
    sellToken,
    buyToken,
    sellAmount: 1000n,
    buyAmount: 2100n,
    feeAmount: 10n,
    settlementLogIndex: 4,
  },
  protocolFees: [
    { token: buyToken, amount: '5' },
    { token: buyToken, amount: '6' },
    { token: buyToken, amount: '7' },
  ],
  feePolicies: [
    { ...noFactors(), kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01 },
    { ...noFactors(), kind: 'volume', volumeFactor: 0.0002 },
    { ...noFactors(), kind: 'priceImprovement', priceImprovementFactor: 0.3, priceImprovementMaxVolumeFactor: 0.02 },
  ],
  quote: { sellAmount: 1n, buyAmount: 2n, feeAmount: 3n },
}

function noFactors() {
  return {
    surplusFactor: null,
    surplusMaxVolumeFactor: null,
    volumeFactor: null,
    priceImprovementFactor: null,
    priceImprovementMaxVolumeFactor: null,
  }
}

const get = async (pathAndQuery: string, headers: Record<string, string> = {}, trades = [selected]) => {
  const asked: unknown[] = []
  const app = getTrades({
    selectTrades: async (...args) => {
      asked.push(args)
      return trades
    },
  })
  return { response: await app.request(`/api/${pathAndQuery}`, { headers }), asked }
}

test('a trade with the fees it paid', async () => {
  const { response } = await get(`v2/trades?orderUid=${uid}`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual([
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

test('no fees before the settlement is attributed', async () => {
  const { response } = await get(`v2/trades?orderUid=${uid}`, {}, [{ ...selected, protocolFees: null }])
  expect(await response.json()).toMatchObject([{ executedProtocolFees: [] }])
})

test('the filter, in any case, and the page reach the query; v1 has no pages', async () => {
  const checksummed = `0x${owner.slice(2).toUpperCase()}`
  expect((await get(`v2/trades?owner=${checksummed}&offset=5&limit=1000`)).asked).toEqual([
    [{ owner }, { offset: 5, limit: 1000 }],
  ])
  expect((await get(`v2/trades?orderUid=${uid}`)).asked).toEqual([[{ orderUid: uid }, { offset: 0, limit: 10 }]])
  expect((await get(`v1/trades?orderUid=${uid}`)).asked).toEqual([[{ orderUid: uid }, { offset: 0, limit: 1_000 }]])
})

test.each(['v1', 'v2'])('%s: unchanged trades are 304', async (version) => {
  const { response } = await get(`${version}/trades?owner=${owner}`)
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
  const etag = response.headers.get('ETag') ?? ''
  expect((await get(`${version}/trades?owner=${owner}`, { 'If-None-Match': etag })).response.status).toBe(304)
  expect((await get(`${version}/trades?owner=${owner}`, { 'If-None-Match': etag }, [])).response.status).toBe(200)
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
  const { response, asked } = await get(pathAndQuery)
  expect([response.status, asked]).toEqual([400, []])
  expect(await response.json()).toMatchObject({ errorType })
})
