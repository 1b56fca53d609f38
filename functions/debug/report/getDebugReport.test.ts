import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DebugFacts } from '#schema/queries/debug/debugReport.ts'
import { auctionEntries, currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { toOrderResponse } from '#shared/orders/orderResponse.ts'
import { fail } from '#shared/orders/verdict/finding.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { connectArchive } from '../archive/connectArchive.ts'
import { type DebugReportDeps, getDebugReport } from './getDebugReport.ts'
import { debugReportSchema, toDebugReport } from './toDebugReport.ts'

const chainId = 11_155_111
const now = 1_900_000_000
const winner = `0x${'5a'.repeat(20)}` as const
const loser = `0x${'5b'.repeat(20)}` as const
const transactionHash = `0x${'cc'.repeat(32)}` as const
const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 10, 0, second))

const noFactors = {
  surplusFactor: null,
  surplusMaxVolumeFactor: null,
  volumeFactor: null,
  priceImprovementFactor: null,
  priceImprovementMaxVolumeFactor: null,
}
const blame = { party: 'none' as const, orders: [], reason: 'the market moved' }
const attempt = {
  ...{ solver: winner, startBlock: 101, deadlineBlock: 105, endedAt: null, endBlock: null, outcome: null },
  blame: null,
  mismatch: null,
}
const gas = { solver: winner, gasUsed: 90_000n, effectiveGasPrice: 7n }
const trade = { ...gas, blockNumber: 203, buyAmount: 2100n, sellAmount: 1000n, feeAmount: 3n, transactionHash }

/** Two auctions: the first has a proposal and an attempt that runs, the second filled the order. */
const facts: DebugFacts = {
  events: [
    { label: 'created', reason: null, createdAt: at(0), data: null },
    { label: 'invalid', reason: 'insufficient_balance', createdAt: at(1), data: null },
  ],
  auctions: [
    {
      id: 1,
      block: 100,
      deadlineBlock: 105,
      archiveKey: null,
      sellTokenPrice: '1000000000000000000',
      buyTokenPrice: null,
    },
    { id: 2, block: 200, deadlineBlock: 205, archiveKey: null, sellTokenPrice: '5', buyTokenPrice: '6' },
  ],
  solutions: [
    {
      auctionId: 1,
      uid: 1,
      solver: loser,
      isWinner: false,
      filteredOut: true,
      score: 10n ** 30n,
      executedSell: 1000n,
      executedBuy: 2050n,
    },
    {
      auctionId: 2,
      uid: 0,
      solver: winner,
      isWinner: true,
      filteredOut: false,
      score: 9n,
      executedSell: 1000n,
      executedBuy: 2100n,
    },
  ],
  executions: [
    {
      auctionId: 2,
      executedFee: 7n,
      executedFeeToken: filledOrder.sellToken,
      blockNumber: 203,
      protocolFees: [{ token: filledOrder.buyToken, amount: '4' }],
    },
  ],
  attempts: [
    { ...attempt, auctionId: 1, solutionUid: 0, startedAt: at(2), blame },
    { ...attempt, auctionId: 2, solutionUid: 0, startedAt: at(3), endedAt: at(4), endBlock: 203, outcome: 'success' },
  ],
  feePolicies: [
    { ...noFactors, auctionId: 2, kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0 },
    { ...noFactors, auctionId: 2, kind: 'volume', volumeFactor: 0.0002 },
  ],
  trades: [
    { ...trade, logIndex: 9, auctionId: 2 },
    { ...trade, logIndex: 3, auctionId: null },
  ],
  membership: { first: 1, last: 2, isOpen: false },
  currentAuction: undefined,
}

test('a report groups by auction and leaves out what is unknown', () => {
  const report = toDebugReport(filledOrder, facts, now, {})
  expect(report).toEqual({
    orderUid: filledOrder.uid,
    order: toOrderResponse(filledOrder, now),
    diagnosis: {
      code: 'fulfilled',
      severity: 'ok',
      since: null,
      message: `The order is filled: 1000 atoms of ${filledOrder.sellToken} for 2100 atoms of ${filledOrder.buyToken}.`,
      suggestion: null,
      data: { executedSellAmount: '1000', executedBuyAmount: '2100', transaction: transactionHash },
    },
    events: [
      { label: 'created', timestamp: '2026-11-01T10:00:00.000Z' },
      { label: 'invalid', timestamp: '2026-11-01T10:00:01.000Z', reason: 'insufficient_balance' },
    ],
    auctions: [
      {
        id: 1,
        block: 100,
        deadline: 105,
        nativePrices: { [filledOrder.sellToken]: '1000000000000000000' },
        proposedSolutions: [
          {
            solutionUid: 1,
            ranking: 2,
            solver: loser,
            isWinner: false,
            filteredOut: true,
            score: '1000000000000000000000000000000',
            executedSell: '1000',
            executedBuy: '2050',
          },
        ],
        executions: [],
        settlementAttempts: [
          {
            solver: winner,
            solutionUid: 0,
            startTimestamp: '2026-11-01T10:00:02.000Z',
            startBlock: 101,
            deadlineBlock: 105,
            blame,
          },
        ],
        feePolicies: [],
      },
      {
        id: 2,
        block: 200,
        deadline: 205,
        nativePrices: { [filledOrder.sellToken]: '5', [filledOrder.buyToken]: '6' },
        proposedSolutions: [
          {
            solutionUid: 0,
            ranking: 1,
            solver: winner,
            isWinner: true,
            filteredOut: false,
            score: '9',
            executedSell: '1000',
            executedBuy: '2100',
          },
        ],
        executions: [
          {
            executedFee: '7',
            executedFeeToken: filledOrder.sellToken,
            blockNumber: 203,
            protocolFees: [{ token: filledOrder.buyToken, amount: '4' }],
          },
        ],
        settlementAttempts: [
          {
            solver: winner,
            solutionUid: 0,
            startTimestamp: '2026-11-01T10:00:03.000Z',
            endTimestamp: '2026-11-01T10:00:04.000Z',
            startBlock: 101,
            endBlock: 203,
            deadlineBlock: 105,
            outcome: 'success',
          },
        ],
        feePolicies: [
          { kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0 },
          { kind: 'volume', volumeFactor: 0.0002 },
        ],
      },
    ],
    listedAuctions: { first: 1, last: 2, isListed: false },
    trades: [
      {
        blockNumber: 203,
        logIndex: 9,
        buyAmount: '2100',
        sellAmount: '1000',
        sellAmountBeforeFees: '997',
        txHash: transactionHash,
        auctionId: 2,
      },
      {
        blockNumber: 203,
        logIndex: 3,
        buyAmount: '2100',
        sellAmount: '1000',
        sellAmountBeforeFees: '997',
        txHash: transactionHash,
      },
    ],
  })
  expect(debugReportSchema.safeParse(report).error).toBeUndefined()
})

const { database, close } = await startTestDatabase()
afterAll(close)

const setUp = (changes: Partial<DebugReportDeps> = {}) =>
  getDebugReport({
    database,
    chainId,
    archive: connectArchive(undefined, chainId),
    token: undefined,
    findVerdict: () => expect.fail('the order is in no auction'),
    findTokens: async () => () => undefined,
    now: () => 1_000 * now,
    ...changes,
  })

const { uid } = newOrder(1)
beforeAll(() => storeOrder(database, newOrder(1)))

test('an unfilled order in the auctions is diagnosed by the current verdict', async () => {
  const waiting = newOrder(2)
  await storeOrder(database, waiting)
  const event = { chainId, orderUid: waiting.uid, key: 'ready', label: 'ready' } as const
  await database.insert(orderEvents).values({ ...event, createdAt: new Date((now - 60) * 1_000) })
  await database.insert(auctionEntries).values({ chainId, orderUid: waiting.uid, enteredAuctionId: 3 })
  await database.insert(currentAuctions).values({ chainId, id: 9, block: 9 })
  const fillableNow = { sellAmount: '0', buyAmount: '0' }
  const findings = [fail('price', 'NoLiquidity', {}, true)]
  const app = setUp({ findVerdict: async () => ({ findings, fillableNow }) })
  const response = await app.request(`/api/v1/debug/order/${waiting.uid}`)
  expect(await response.json()).toMatchObject({
    diagnosis: { code: 'no_route', fillableNow },
    auctions: [],
    listedAuctions: { first: 3, last: 9, isListed: true },
  })
})

const paths = ['/api/v1/debug/order', '/restricted/api/v1/debug/order']

test.each(paths)('%s returns the report for a UID in any case', async (path) => {
  const response = await setUp().request(`${path}/0x${uid.slice(2).toUpperCase()}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toMatchObject({ orderUid: uid, auctions: [], listedAuctions: null })
})

test('an unknown order is a 404 that names it', async () => {
  const { uid: unknown } = newOrder(3)
  const response = await setUp().request(`/api/v1/debug/order/${unknown}`)
  expect(response.status).toBe(404)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toEqual({
    errorType: 'NotFound',
    description: 'order not found',
    data: { uid: unknown },
  })
})

test.each(['0x', 'aa'.repeat(57), `0x${'aa'.repeat(55)}`, `0x${'zz'.repeat(56)}`])(
  'the malformed UID %s is a 400',
  async (malformed) => {
    const response = await setUp().request(`/api/v1/debug/order/${malformed}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errorType: 'InvalidParameter', data: { field: 'uid' } })
  },
)

test.each([
  [undefined, 401],
  ['Bearer wrong', 401],
  ['Bearer ', 401],
  ['Basic secret', 401],
  ['secret', 401],
  ['Bearer secret', 200],
  ['bearer secret', 200],
])('with a token set, Authorization %j gives %i on both paths', async (authorization, status) => {
  for (const path of paths) {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization }
    const response = await setUp({ token: 'secret' }).request(`${path}/${uid}`, { headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    if (status === 401) expect(await response.json()).toMatchObject({ errorType: 'Unauthorized' })
  }
})
