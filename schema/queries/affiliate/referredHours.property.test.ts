import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Address, pad, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#schema/client.ts'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { newAffiliate } from '#test/helpers/database/referredTrade.ts'
import { selectReferenceStatistics } from '#test/helpers/database/selectReferenceStatistics.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { carryTrades } from '../../../functions/notifier/carryTrades.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { noEvents } from '../chain/chainUpdate.ts'
import { updateChain } from '../chain/updateChain.ts'
import { insertPriceSamples } from '../markets/priceSamples.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectAffiliateStatistics, selectTraderStatistics } from './affiliateStatistics.ts'
import { selectTraderActivity } from './selectTraderActivity.ts'

const chains = [networks.sepolia, networks.mainnet]
const addressOf = (number: number): Address => pad(toHex(number), { size: 20 })
/** its trades have no auction price */
const unpriced = addressOf(0x74)
const traders = [addressOf(0x71), addressOf(0x72), addressOf(0x73), unpriced]
/** places orders for its users */
const contract = addressOf(0xc0)
const solver = addressOf(0x50)
const codes = ['FRIENDS', 'RIVALS', 'NOBODYS']
const wallets = codes.map((code) => newAffiliate(code).walletAddress)
/** a comparison ends each round; a history has the fewest steps, and further rounds while too few trades are in sums */
const steps = { round: 6, fewest: 24, most: 96 }
/** sums of more trades are a good part of a history: without them two statements over trades are compared */
const few = { all: 20, copied: 5 }
/** codes have a volume cap at even ones */
const seeds = process.env.LONG ? Array.from({ length: 20 }, (_, i) => i + 1) : [2]
const blocksOfStep = 16
const hourMs = 3_600_000
// fixed, so that a seed has the same history at any time
const start = Date.parse('2026-02-01T00:00:00Z')
/** does not end within the life of the test */
const endless = 36_500

/** `store` has both networks; `home` has the codes and the first network, `own` the second one */
let store: TestDatabase
let home: TestDatabase
let own: TestDatabase
beforeAll(async () => {
  ;[store, home, own] = await Promise.all([startTestDatabase(), startTestDatabase(), startTestDatabase()])
})
beforeEach(() => Promise.all([store, home, own].map(({ database }) => emptyDatabase(database))))
afterAll(() => Promise.all([store, home, own].map((database) => database?.close())))

const databasesOf = (chain: number): Database[] => [store.database, (chain === 0 ? home : own).database]
const carry = (trades: number) =>
  carryTrades(own.database, home.database, networks.mainnet.chainId, { trades, samples: 5 })

const text = (value: number | null) => (value === null ? null : String(value))

/** The results of the statistics queries in the shape of the reference. */
const selectStatistics = async (database: Database, trader: Address, wallet: Address) => {
  const ofTrader = await selectTraderStatistics(database, trader)
  const ofAffiliate = await selectAffiliateStatistics(database, wallet)
  const activity = await selectTraderActivity(database, trader)
  return {
    trader: ofTrader ? [{ code: ofTrader.affiliate.code, volume: String(ofTrader.volume) }] : [],
    linkedSince: ofTrader?.linkedSince.getTime(),
    affiliate: ofAffiliate
      ? [
          {
            volume: String(ofAffiliate.volume),
            total_traders: String(ofAffiliate.totalTraders),
            active_traders: String(ofAffiliate.activeTraders),
          },
        ]
      : [],
    activity: activity.map((row) => ({
      order_uid: row.orderUid,
      value: text(row.value),
      counted_value: text(row.countedValue),
      referrer_code: row.referrerCode,
      bound_code: row.boundCode,
      is_bound: row.isBound,
      reason: row.reason,
    })),
  }
}

const expectEquality = async (): Promise<void> => {
  await carry(1_000)
  for (const [i, trader] of traders.entries()) {
    const wallet = wallets[i] ?? trader
    const reference = await selectReferenceStatistics(store.database, trader, wallet)
    const linked = reference.trader[0]?.linked_since
    const expected = {
      ...reference,
      trader: reference.trader.map(({ code, volume }) => ({ code, volume })),
      linkedSince: linked === undefined ? undefined : Math.round(Number(linked) * 1_000),
    }
    expect(await selectStatistics(store.database, trader, wallet)).toEqual(expected)
    expect(await selectStatistics(home.database, trader, wallet)).toEqual(expected)
  }
}

/**
 * Two networks with traders, codes, prices and reorganisations. A trade may have no code, an unregistered code, no
 * auction, no price, an order that is stored after it, or an order that a contract placed for its trader.
 * @returns numbers of trades in sums at the end
 */
const runHistory = async (seed: number): Promise<typeof few> => {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const isChosen = (share: number) => random() < share
  const registries = [store.database, home.database]
  // the traders stay within the time cap of one code and leave that of the other
  const terms = { createdAt: new Date(start - hourMs), timeCapDays: endless }
  for (const database of registries)
    await database
      .insert(affiliates)
      .values([
        newAffiliate('FRIENDS', { ...terms, timeCapDays: 1, volumeCap: seed % 2 === 0 ? 40_000.5 : 0 }),
        newAffiliate('RIVALS', { ...terms, volumeCap: 25_000 }),
      ])
  const heads = chains.map(() => ({ number: 0, time: start }))
  const times = chains.map(() => new Map<number, number>())
  const sampledAt: number[] = []
  let orders = 0
  const late = chains.map((): ReturnType<typeof newOrder>[] => [])

  const addBlocks = async (chain: number): Promise<void> => {
    const { chainId, wrappedNative, usdReference } = chains[chain] ?? networks.sepolia
    const head = heads[chain] ?? { number: 0, time: 0 }
    const known = times[chain] ?? new Map<number, number>()
    const undone = head.number > 0 && isChosen(0.25) ? 1 + below(isChosen(0.2) ? head.number : 20) : 0
    // stored after the blocks with their trades, before the next ones
    for (const order of late[chain]?.splice(0) ?? [])
      for (const database of databasesOf(chain)) await insertOrder(database, order)
    const fromBlock = Math.max(head.number - undone, 0) + 1
    let time = known.get(fromBlock - 1) ?? start
    const change = {
      ...noEvents,
      settlements: [...noEvents.settlements],
      trades: [...noEvents.trades],
      executions: [...noEvents.executions],
    }
    const blocks = []
    const priced: (typeof auctions.$inferInsert)[] = []
    for (let number = fromBlock; number < fromBlock + blocksOfStep; number++) {
      time += 1_000 * (1 + below(500))
      known.set(number, time)
      blocks.push({ number, hash: pad(toHex(orders * 1_000 + number), { size: 32 }), timestamp: new Date(time) })
      for (let logIndex = 0; logIndex < 4 && isChosen(0.35); logIndex += 2) {
        orders += 1
        const trader = traders[below(traders.length)] ?? contract
        const isPlaced = isChosen(0.1)
        const owner = isPlaced ? contract : trader
        const code = isChosen(0.9) ? (codes[isChosen(0.8) ? below(2) : 2] ?? null) : null
        const order = newOrder(orders, {
          ...{ chainId, owner, referrerCode: code, createdAt: new Date(time - below(3) * hourMs) },
          ...{ onchainUser: isPlaced ? trader : null, sellToken: wrappedNative, buyToken: usdReference.address },
        })
        const { sellToken, buyToken } = order
        if (isChosen(0.05)) late[chain]?.push(order)
        else for (const database of databasesOf(chain)) await insertOrder(database, order)
        const prices =
          trader === unpriced || isChosen(0.1)
            ? {}
            : {
                [sellToken]: String(10n ** 18n + BigInt(below(1_000_000)) ** 2n),
                [buyToken]: String(5n * 10n ** 29n + 10n ** 24n * BigInt(below(1_000_000))),
              }
        priced.push({ chainId, id: orders, block: number, deadlineBlock: number, prices })
        const place = { blockNumber: number, transactionHash: pad(toHex(orders), { size: 32 }) }
        const isAttributed = !isChosen(0.1)
        change.trades.push({
          ...{ ...place, logIndex, orderUid: orderUidOf(orders, owner), owner, sellToken, buyToken, feeAmount: 0n },
          ...{
            sellAmount: 10n ** 18n + BigInt(below(1_000_000)) ** 2n,
            buyAmount: 2_000_000n,
            settlementLogIndex: logIndex + 1,
          },
        })
        change.settlements.push({
          ...{
            ...place,
            logIndex: logIndex + 1,
            solver,
            settledAt: new Date(time),
            gasUsed: 1n,
            effectiveGasPrice: 1n,
          },
          ...(isAttributed ? { auctionId: orders, solutionUid: 0 } : { auctionId: null }),
        })
        if (isAttributed && isChosen(0.9))
          change.executions.push({
            ...{ auctionId: orders, orderUid: orderUidOf(orders, owner), blockNumber: number },
            ...{ executedFee: 0n, executedFeeToken: sellToken },
            // half of them back the whole trade
            protocolFees: [{ token: wrappedNative, amount: String(10n ** 15n * BigInt(below(40))) }],
          })
      }
    }
    const toBlock = fromBlock + blocksOfStep - 1
    const undoFrom = undone > 0 ? fromBlock : null
    for (const database of databasesOf(chain)) {
      if (priced.length > 0) await database.insert(auctions).values(priced)
      await updateChain(database, chainId, { ...change, fromBlock, toBlock, blocks, undoFrom })
    }
    heads[chain] = { number: toBlock, time }
  }

  let summed = { all: 0, copied: 0 }
  for (let step = 0; step < steps.most; step++) {
    await addBlocks(below(chains.length))
    for (const [chain, { chainId, wrappedNative }] of chains.entries()) {
      if (isChosen(0.4)) continue
      // by the clock, which no reorganisation turns back
      const time = Math.floor(Math.max(heads[chain]?.time ?? start, sampledAt[chain] ?? 0) / 1_000)
      sampledAt[chain] = time * 1_000
      const price = 2_000 + below(1_000_000) / 1_000
      for (const database of databasesOf(chain))
        await insertPriceSamples(database, { chainId, wrappedNative }, [{ token: wrappedNative, price }], time)
    }
    if (step === 8)
      for (const database of registries)
        await database
          .insert(affiliates)
          .values(
            newAffiliate('NOBODYS', { ...terms, createdAt: new Date(Math.max(...heads.map(({ time }) => time))) }),
          )
    if (step === 16 && isChosen(0.5)) {
      const disabledAt = new Date((heads[0]?.time ?? start) - below(5 * hourMs))
      for (const database of registries)
        await database.update(affiliates).set({ disabledAt }).where(sql`code = 'FRIENDS'`)
    }
    // often two at once, which may find different states
    if (step % 2 === 0) await Promise.all([carry(3), carry(4)])
    if ((step + 1) % steps.round > 0) continue
    await expectEquality()
    summed = {
      all: await countSummed(store.database),
      copied: await countSummed(home.database, networks.mainnet.chainId),
    }
    if (step + 1 >= steps.fewest && summed.all > few.all && summed.copied > few.copied) break
  }
  return summed
}

const countSummed = async (database: Database, chainId?: number): Promise<number> => {
  const [row] = await database
    .select({ summed: sql<number>`coalesce(sum(trades), 0)::integer` })
    .from(referredHours)
    .where(and(isNotNull(referredHours.value), chainId ? eq(referredHours.chainId, chainId) : undefined))
  return row?.summed ?? 0
}

test.each(seeds)(
  'the statistics, also of networks with their own database, are those of all trades after reorganisations and late orders, prices and codes (%i)',
  async (seed) => {
    const summed = await runHistory(seed)
    expect(summed.all).toBeGreaterThan(few.all)
    expect(summed.copied).toBeGreaterThan(few.copied)
  },
  120_000,
)
