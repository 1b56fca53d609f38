import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { explorerOwners, explorerTokens, insertExplorerTrades } from '#test/helpers/database/explorerRows.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type CandleQuery, selectTradeCandles } from './candles.ts'
import { type NetworkTradeFilter, selectNetworkTrades, type TradePosition } from './networkTrades.ts'
import { selectPairTotals } from './pairTotals.ts'

const { chainId, wrappedNative } = networks.sepolia
const network = { chainId, wrappedNative }
const at = 1_800_000_000
const { database, close } = await startTestDatabase()
let all: Awaited<ReturnType<typeof insertExplorerTrades>>

beforeAll(async () => {
  all = await insertExplorerTrades(database, 200, at)
})
afterAll(close)

const [first, second] = explorerTokens
const [owner] = explorerOwners
if (!first || !second || !owner) throw new Error('no tokens')

const isListed = (trade: (typeof all)[number], { token, pair, owner: of }: NetworkTradeFilter): boolean => {
  const tokens: string[] = [trade.sellToken, trade.buyToken]
  return (
    (!token || tokens.includes(token)) &&
    (!pair || pair.every((member) => tokens.includes(member))) &&
    (!of || trade.trader === of)
  )
}

test.each<NetworkTradeFilter>([
  {},
  { token: first },
  { pair: [first, second] },
  { pair: [second, first] },
  { owner },
  { owner, token: second },
  { owner, pair: [first, second] },
  { token: second, pair: [first, second] },
])('the pages of %j contain each of its trades once, newest first', async (filter) => {
  const found: unknown[] = []
  for (let after: TradePosition | undefined | null; after !== null; ) {
    const page = await selectNetworkTrades(database, network, filter, { after, limit: 6 })
    found.push(...page.trades)
    after = page.next
  }
  const expected = all.filter((trade) => isListed(trade, filter))
  expect(expected.length).toBeGreaterThan(0)
  expect(found).toHaveLength(expected.length)
  expect(found).toMatchObject(expected.map(({ chainId: _, ...trade }) => trade))
})

test('a pair of a token with itself has no trades, and another network none', async () => {
  const page = { limit: 5 }
  expect((await selectNetworkTrades(database, network, { pair: [first, first] }, page)).trades).toEqual([])
  expect((await selectNetworkTrades(database, { chainId: 1, wrappedNative }, {}, page)).trades).toEqual([])
})

test.each([300, 3_600, 86_400])('candles of %i s agree with the trades to the atom', async (interval) => {
  const query: CandleQuery = {
    base: [first],
    quote: [second],
    interval,
    since: Math.floor((at - 4 * 3_600) / interval) * interval,
  }
  const candles = await selectTradeCandles(database, chainId, query)
  const traded = all
    .filter((trade) => isListed(trade, { pair: [first, second] }) && trade.settledAt.getTime() / 1_000 >= query.since)
    .toReversed()
    .map((trade) => {
      const isSold = trade.sellToken === first
      const [base, quote] = isSold ? [trade.sellAmount, trade.buyAmount] : [trade.buyAmount, trade.sellAmount]
      return { time: Math.floor(trade.settledAt.getTime() / 1_000 / interval) * interval, base, quote }
    })
  const expected = [...Map.groupBy(traded, ({ time }) => time)].map(([time, members]) => {
    const prices = members.map(({ base, quote }) => Number(quote) / Number(base))
    return {
      time,
      open: expect.closeTo(prices[0] ?? 0, 9),
      high: expect.closeTo(Math.max(...prices), 9),
      low: expect.closeTo(Math.min(...prices), 9),
      close: expect.closeTo(prices.at(-1) ?? 0, 9),
      baseVolume: members.reduce((sum, { base }) => sum + base, 0n),
      quoteVolume: members.reduce((sum, { quote }) => sum + quote, 0n),
      trades: members.length,
    }
  })
  expect(expected.length).toBeGreaterThan(0)
  expect(candles).toEqual(expected)
  const inverse = await selectTradeCandles(database, chainId, { ...query, base: [second], quote: [first] })
  expect(inverse.map(({ baseVolume, trades }) => [baseVolume, trades])).toEqual(
    candles.map(({ quoteVolume, trades }) => [quoteVolume, trades]),
  )
})

measureRows(selectNetworkTrades, (database, h) =>
  selectNetworkTrades(database, { chainId: h.chainId, wrappedNative }, {}, { limit: 100 }),
)
measureRows(
  selectNetworkTrades,
  (database, h) =>
    selectNetworkTrades(
      database,
      { chainId: h.chainId, wrappedNative },
      { owner: h.busyOwner, pair: [h.sellToken, h.buyToken] },
      { limit: 100, after: { blockNumber: h.middle, logIndex: 0 } },
    ),
  { reads: 2_200 },
)
measureRows(
  selectNetworkTrades,
  (database, h) =>
    selectNetworkTrades(
      database,
      { chainId: h.chainId, wrappedNative },
      { token: h.buyToken },
      { limit: 100, after: { blockNumber: h.middle, logIndex: 0 } },
    ),
  { reads: 2_200 },
)
// the newest trades of the history are three days old
measureRows(
  selectTradeCandles,
  (database, { chainId, sellToken, buyToken }) =>
    selectTradeCandles(database, chainId, {
      base: [sellToken],
      quote: [buyToken],
      interval: 300,
      since: nowSeconds() - 10 * 86_400,
    }),
  { reads: (h) => h.rowsOfDays(10, 2) },
)
measureRows(
  selectPairTotals,
  (database, { chainId }) => selectPairTotals(database, { chainId, wrappedNative: networks.sepolia.wrappedNative }),
  {
    reads: (h) => h.rowsOfDays(2, 2),
  },
)
