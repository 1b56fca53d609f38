import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { type Address, pad } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { buildSettledWin } from '#test/helpers/database/buildSettledWin.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf, newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { accountSurplus } from '../../tables/settlements/accountSurplus.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { type ChainUpdate, noEvents } from '../chain/chainUpdate.ts'
import { updateChain } from '../chain/updateChain.ts'
import { surplusValue } from '../fragments/surplusOfTrade.ts'
import { insertOrder } from '../orders/orders.ts'
import { advanceAccountSurplus, deleteAccountSurplusFrom } from './accountSurplus.ts'
import { selectTotalSurplus } from './totalSurplus.ts'

const { chainId } = networks.sepolia
const { sellToken, buyToken } = newOrder(1)
const alice: Address = pad('0xa', { size: 20 })
const placer: Address = pad('0xe', { size: 20 })
const user: Address = pad('0xf', { size: 20 })
const accounts = [alice, placer, user]
const atoms = 10n ** 21n
const placed = [
  newOrder(1, { chainId, owner: alice, sellAmount: atoms, buyAmount: 2n * atoms }),
  newOrder(2, { chainId, owner: alice, kind: 'buy', sellAmount: atoms, buyAmount: atoms }),
  newOrder(3, { chainId, owner: placer, sellAmount: 3n * atoms, buyAmount: atoms }),
]
const { database, close } = await startTestDatabase()
afterAll(close)

/** The definition: every trade of an account, without stored sums. */
const sumAllTrades = async (account: Address): Promise<bigint> => {
  const { rows } = await database.execute<{ total: string }>(sql`
    select coalesce(div(sum(${surplusValue(chainId)}), 1000000000000000000), 0)::text as total
    from ${trades}
    join ${orders} on ${orders.chainId} = ${trades.chainId} and ${orders.uid} = ${trades.orderUid}
    join ${settlements} on ${settlements.chainId} = ${trades.chainId}
      and ${settlements.blockNumber} = ${trades.blockNumber} and ${settlements.logIndex} = ${trades.settlementLogIndex}
    join ${executions} on ${executions.chainId} = ${trades.chainId} and ${executions.auctionId} = ${settlements.auctionId}
      and ${executions.orderUid} = ${trades.orderUid}
    join ${auctions} on ${auctions.chainId} = ${trades.chainId} and ${auctions.id} = ${settlements.auctionId}
    where ${trades.chainId} = ${chainId} and ${sql.param(account, orders.owner)} in (${trades.owner}, ${orders.onchainUser})`)
  return BigInt(rows[0]?.total ?? 0)
}

const readTotals = async () =>
  Promise.all(accounts.map(async (of) => [await selectTotalSurplus(database, chainId, of), await sumAllTrades(of)]))

const prepare = async () => {
  await emptyDatabase(database)
  for (const order of placed) await insertOrder(database, order)
  await database
    .update(orders)
    .set({ onchainUser: user })
    .where(sql`owner = ${sql.param(placer, orders.owner)}`)
  const prices = [
    { [sellToken]: '3000000000000000001', [buyToken]: '7' },
    { [sellToken]: `${10n ** 40n}`, [buyToken]: '999999999999999999' },
    {},
  ]
  await database
    .insert(auctions)
    .values(prices.map((of, i) => ({ chainId, id: i + 1, block: 1, deadlineBlock: 2, prices: of })))
}

type Fill = { order: number; auctionId: number; sell: bigint; gain: bigint; isForeign: boolean }

/** A settlement of one trade; a foreign one belongs to no auction. */
const settle = (blockNumber: number, { order, auctionId, sell, gain, isForeign }: Fill) => {
  const { uid, owner, kind } = placed[order % placed.length] as (typeof placed)[number]
  const win = buildSettledWin(blockNumber, auctionId, uid, sell)
  const buyAmount = kind === 'sell' ? sell * 2n + gain : sell + gain
  return {
    settlements: win.settlements.map((row) => (isForeign ? { ...row, auctionId: null, solutionUid: null } : row)),
    trades: win.trades.map((row) => ({ ...row, owner, buyAmount })),
    executions: isForeign ? [] : win.executions,
  }
}

const update = (fromBlock: number, toBlock: number, undoFrom: number | null, fills: Map<number, Fill>): ChainUpdate => {
  const events = [...fills].map(([block, fill]) => settle(block, fill))
  return {
    ...noEvents,
    ...{ fromBlock, toBlock, undoFrom },
    settlements: events.flatMap((event) => event.settlements),
    trades: events.flatMap((event) => event.trades),
    executions: events.flatMap((event) => event.executions),
    blocks: [{ number: toBlock, hash: hashOf(toBlock), timestamp: new Date() }],
  }
}

const fill = fc.record({
  order: fc.nat(placed.length - 1),
  auctionId: fc.integer({ min: 1, max: 3 }),
  sell: fc.bigInt(1n, 10n ** 20n),
  gain: fc.bigInt(0n, 10n ** 20n),
  isForeign: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
})
/** Some blocks, each with at most one settlement; `depth` blocks before them are replaced. */
const step = fc.record({
  blocks: fc.array(fc.option(fill), { minLength: 1, maxLength: 12 }),
  pause: fc.constantFrom(0, 0, 0, storedBlocks),
  depth: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 * storedBlocks })),
  isRepeated: fc.boolean(),
})

const histories = process.env.LONG ? 12 : 4
/** A trade that no reorganisation reaches. */
const closing = {
  blocks: [{ order: 0, auctionId: 1, sell: 10n ** 18n, gain: 10n ** 18n, isForeign: false }],
  ...{ pause: 2 * storedBlocks, depth: 0, isRepeated: false },
}

test('the total is the sum of all trades to the wei after every step of a history with reorganisations', {
  timeout: 300_000,
}, async () => {
  let stored = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      await prepare()
      let head = 1_000
      for (const { blocks, pause, depth, isRepeated } of [...steps, closing]) {
        const undoFrom = depth > 0 ? Math.max(head - depth + 1, 1_001) : null
        const fromBlock = undoFrom ?? head + 1
        const fills = new Map(blocks.flatMap((of, i): [number, Fill][] => (of ? [[fromBlock + i, of]] : [])))
        const toBlock = fromBlock + blocks.length - 1 + pause
        const change = update(fromBlock, toBlock, undoFrom, fills)
        await updateChain(database, chainId, change)
        if (isRepeated) await updateChain(database, chainId, change)
        head = toBlock
        for (const [total, sum] of await readTotals()) expect(total).toBe(sum)
      }
      const rows = await database.select().from(accountSurplus)
      stored += rows.filter(({ total }) => total > 0n).length
    }),
    { numRuns: histories },
  )
  // every history stores a sum: the comparison is not one of two statements over trades
  expect(stored).toBeGreaterThanOrEqual(histories)
})

test('a sum contains the trades that no reorganisation reaches, of the owner and of the user', async () => {
  await prepare()
  const value: Fill = { order: 2, auctionId: 2, sell: 1n, gain: 10n, isForeign: false }
  await updateChain(database, chainId, update(1, 1, null, new Map([[1, value]])))
  const rows = () => database.select().from(accountSurplus).orderBy(accountSurplus.account)
  await updateChain(database, chainId, update(2, storedBlocks, null, new Map()))
  expect(await rows()).toEqual([])
  await updateChain(database, chainId, update(storedBlocks + 1, storedBlocks + 1, null, new Map([[65, value]])))
  const total = 11n * 999_999_999_999_999_999n
  expect(await rows()).toEqual([placer, user].map((account) => ({ chainId, account, throughBlock: 1, total })))
  expect(await selectTotalSurplus(database, chainId, user)).toBe((2n * total) / 10n ** 18n)
})

measureRows(
  advanceAccountSurplus,
  (database, h) => advanceAccountSurplus(database, h.chainId, h.tip - storedBlocks + 1, h.tip),
  { reads: storedBlocks * 6 },
)
measureRows(deleteAccountSurplusFrom, (database, h) => deleteAccountSurplusFrom(database, h.chainId, h.tip - 100))
