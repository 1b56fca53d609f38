import { expect, test } from 'vitest'
import type { NetworkTrade, TradePosition } from '#schema/queries/explorer/networkTrades.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { getNetworkTrades } from './getNetworkTrades.ts'

const { uid, owner, sellToken, buyToken } = filledOrder
const transactionHash = `0x${'cc'.repeat(32)}` as const
const trade: NetworkTrade = {
  ...{ blockNumber: 9, logIndex: 3, settledAt: new Date('2026-11-01T10:00:00Z'), trader: owner, orderUid: uid },
  ...{ solver: sellToken, auctionId: 5, transactionHash, sellToken, buyToken, sellAmount: 10n ** 30n, buyAmount: 2n },
  ...{ volume: 7n, surplus: null },
}

const get = async (query = '', next: TradePosition | null = null) => {
  const asked: unknown[] = []
  const app = getNetworkTrades({
    selectNetworkTrades: async (...args) => {
      asked.push(args)
      return { trades: [trade], next }
    },
  })
  return { response: await app.request(`/api/v1/explorer/trades${query}`), asked }
}

test('lists trades with exact amounts, cacheable for seconds', async () => {
  const { response, asked } = await get()
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(await response.json()).toEqual([
    {
      ...{ blockNumber: 9, logIndex: 3, time: '2026-11-01T10:00:00.000Z', txHash: transactionHash, orderUid: uid },
      ...{
        owner,
        solver: sellToken,
        auctionId: 5,
        sellToken,
        buyToken,
        sellAmount: `1${'0'.repeat(30)}`,
        buyAmount: '2',
      },
      ...{ volume: '7', surplus: null },
    },
  ])
  expect(asked).toEqual([[{}, { after: undefined, limit: 20 }]])
})

test('filters and cursor reach the query, and the next page has the same filters', async () => {
  const query = `?pair=${sellToken}-${buyToken.toUpperCase().replace('X', 'x')}&owner=${owner}&limit=100`
  const { response, asked } = await get(query, { blockNumber: 8, logIndex: 2 })
  expect(asked).toEqual([
    [
      { pair: [sellToken, buyToken], owner },
      { after: undefined, limit: 100 },
    ],
  ])
  const [, link = ''] = /^<(\?.*)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? []
  expect((await get(link)).asked).toEqual([
    [
      { pair: [sellToken, buyToken], owner },
      { after: { blockNumber: 8, logIndex: 2 }, limit: 100 },
    ],
  ])
})

test.each([`pair=${sellToken}`, 'cursor=8', 'cursor=8-x', 'limit=x'])('%s is refused', async (query) => {
  const { response, asked } = await get(`?${query}`)
  expect([response.status, asked]).toEqual([400, []])
  expect(await response.json()).toMatchObject({ errorType: 'InvalidParameter', data: { field: query.split('=')[0] } })
})
