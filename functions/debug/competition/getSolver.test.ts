import { type Address, pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auctions, type LeftOut } from '#schema/tables/auctions/auctions.ts'
import { solutionOrders, solutions } from '#schema/tables/auctions/solutions.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { type Blame, settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { solverSuspensions } from '#schema/tables/settlements/solverSuspensions.ts'
import { networks } from '#shared/networks.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getSolver } from './getSolver.ts'

const { chainId, wrappedNative } = networks.sepolia
const [solver, rival] = ['0x5a', '0x5b'].map((n) => pad(n as Address, { size: 20 })) as [Address, Address]
const [usdc, dai] = ['0xa', '0xb'].map((n) => pad(n as Address, { size: 20 })) as [Address, Address]
const transactionHash = hashOf(12)
const startedAt = new Date('2026-11-22T10:00:00Z')
const rejected: LeftOut = { solver, kind: 'rejected', reason: 'order 0x11 below its limit' }
const { database, close } = await startTestDatabase()
afterAll(close)

const store = async (id: number, ranked: [Address, bigint, boolean][], leftOut: LeftOut[] = []) => {
  await database.insert(auctions).values({ chainId, id, block: id, deadlineBlock: id + 5, prices: {}, leftOut })
  const rows = ranked.map(([address, score, isWinner], uid) => ({
    ...{ chainId, auctionId: id, uid, solutionId: 1, solver: address, score, isWinner, filteredOut: false },
    responseMs: 40 + uid,
  }))
  if (rows.length > 0) await database.insert(solutions).values(rows)
  const order = { side: 'sell', sellToken: usdc, buyToken: dai, limitSell: 1n, limitBuy: 1n } as const
  const executed = { ...order, executedSell: 1n, executedBuy: 2n, orderUid: pad('0x7', { size: 56 }) }
  if (rows.length > 0)
    await database
      .insert(solutionOrders)
      .values(rows.map(({ uid }) => ({ ...executed, chainId, auctionId: id, solutionUid: uid })))
}

beforeAll(async () => {
  await store(7, [[solver, 9n, true]])
  await store(8, [
    [rival, 9n, true],
    [solver, 5n, false],
  ])
  await store(9, [[rival, 9n, true]], [rejected])
  await store(10, [[rival, 9n, true]])
  const attempt = { chainId, solutionUid: 0, solver, startedAt, startBlock: 7, deadlineBlock: 12 }
  const debt: Blame = { party: 'solver', orders: [], reason: 'order 0x7 paid 1 less', debt: '100' }
  await database.insert(settlementAttempts).values([
    { ...attempt, auctionId: 7, outcome: 'success', endedAt: startedAt, endBlock: 9 },
    { ...attempt, auctionId: 6, outcome: 'mismatch', endedAt: new Date(), blame: debt },
    { ...attempt, auctionId: 5, outcome: null },
  ])
  const settled = { chainId, blockNumber: 9, logIndex: 1, transactionHash, solver, auctionId: 7, solutionUid: 0 }
  await database.insert(settlements).values({ ...settled, gasUsed: 210_000n, effectiveGasPrice: 3n })
  const until = new Date('2100-01-01T00:00:00Z')
  await database.insert(solverSuspensions).values({
    ...{ chainId, solver, auctionId: 6, from: startedAt, until, reason: 'mismatch', failures: 1, level: 1 },
  })
  await database.insert(blocks).values({ chainId, number: 13, hash: hashOf(13), timestamp: new Date() })
})

type Body = { auctions: { id: number }[] }

const get = (query = '', hideBeforeDeadline = false, address = solver) =>
  getSolver({
    ...{ database, chainId, wrappedNative, hideBeforeDeadline },
    knownSolvers: [{ name: 'example', address: solver }],
  }).request(`/api/v1/explorer/solvers/${address}${query}`)

test('a solver sees its standing, its debt and what it has not settled yet', async () => {
  const response = await get()
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(await response.json()).toMatchObject({
    ...{ address: solver, name: 'example', debt: '100', unsettled: { wins: 1, score: '0' } },
    suspension: { reason: 'mismatch', attempts: [{ auctionId: 6, debt: '100' }] },
  })
})

test('a solver sees its settlements with gas, who won by how much, and what was rejected', async () => {
  const { auctions: listed } = (await (await get()).json()) as Body
  const orders = [pad('0x7', { size: 56 })]
  expect(listed).toMatchObject([
    { id: 9, solutions: [], leftOut: { kind: rejected.kind, reason: rejected.reason } },
    {
      ...{ id: 8, leftOut: null },
      solutions: [{ ranking: 2, score: '5', orders, responseMs: 41, loss: { kind: 'order', solver: rival, by: '4' } }],
    },
    {
      id: 7,
      solutions: [
        {
          ...{ ranking: 1, score: '9', responseMs: 40, loss: null },
          settlement: {
            ...{ status: 'settled', startedAt: startedAt.toISOString(), endedAt: startedAt.toISOString() },
            ...{ txHash: transactionHash, blocks: 2, gasUsed: '210000', effectiveGasPrice: '3', deadlineBlock: 12 },
          },
        },
      ],
    },
  ])
})

test('the last auction of a full page is the cursor of the next one', async () => {
  const first = await get('?limit=2')
  expect(((await first.json()) as Body).auctions.map(({ id }) => id)).toEqual([9, 8])
  expect(first.headers.get('X-Next-Cursor')).toBe('8')
  const last = await get('?limit=2&cursor=8')
  expect(((await last.json()) as Body).auctions.map(({ id }) => id)).toEqual([7])
  expect(last.headers.get('X-Next-Cursor')).toBeNull()
})

test('a competition that is hidden until its deadline is hidden here as well', async () => {
  const { auctions: listed } = (await (await get('', true)).json()) as Body
  expect(listed.map(({ id }) => id)).toEqual([8, 7])
})

test('an address that never took part has no auctions', async () => {
  const body = await (await get('', false, pad('0xdead', { size: 20 }))).json()
  expect(body).toMatchObject({ name: null, suspension: null, debt: '0', auctions: [] })
})
