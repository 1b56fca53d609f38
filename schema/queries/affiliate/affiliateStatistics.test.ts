import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import {
  insertEtherPrice,
  insertReferredTrade,
  newAffiliate,
  type TestTrade,
} from '#test/helpers/database/referredTrade.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { affiliatePayouts } from '../../tables/affiliate/affiliatePayouts.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'
import { selectAffiliateStatistics, selectTraderStatistics } from './affiliateStatistics.ts'
import { selectTraderActivity } from './selectTraderActivity.ts'
import { sumReferredHours } from './sumReferredHours.ts'

const trader: Address = `0x${'71'.repeat(20)}`
const other: Address = `0x${'72'.repeat(20)}`
const friends = newAffiliate('FRIENDS')
const start = Date.parse('2026-06-01T12:00:00Z')
const hours = (count: number) => new Date(start + count * 3_600_000)
const millionths = (dollars: number) => BigInt(dollars * 1_000_000)

const { database, close } = await startTestDatabase()
let seed = 0

beforeEach(async () => {
  await emptyDatabase(database)
  await database.insert(affiliates).values([friends, newAffiliate('RIVALS')])
  await insertEtherPrice(database, hours(0))
})
afterAll(close)

const trade = (at: number, code: string | null, changes: Partial<TestTrade> = {}) => {
  seed += 1
  return insertReferredTrade(database, { seed, trader, at: hours(at), code, ...changes })
}
const changeTerms = (changes: Partial<typeof affiliates.$inferInsert>) => database.update(affiliates).set(changes)
const reasons = async (of = trader) =>
  (await selectTraderActivity(database, of)).map(({ reason, countedValue }) => [reason, countedValue])
const ofTrader = (of = trader) => selectTraderStatistics(database, of)
const ofAffiliate = (wallet = friends.walletAddress) => selectAffiliateStatistics(database, wallet)

describe('binding of traders to codes', () => {
  test('the code of the first trade binds, permanently and on all networks', async () => {
    await trade(0, 'FRIENDS')
    await trade(1, 'RIVALS')
    await trade(2, 'FRIENDS', { chainId: networks.mainnet.chainId })
    await trade(3, null)
    expect(await reasons()).toEqual([
      ['eligible', 2_000],
      ['code_mismatch_after_binding', 0],
      ['eligible', 2_000],
    ])
    expect(await ofTrader()).toMatchObject({
      affiliate: { code: 'FRIENDS' },
      linkedSince: hours(0),
      volume: millionths(4_000),
    })
  })

  test('a trader who traded before the first use of a code stays unbound', async () => {
    await trade(0, null, { chainId: networks.mainnet.chainId })
    await trade(1, 'FRIENDS')
    const [row] = await selectTraderActivity(database, trader)
    expect(row).toMatchObject({ reason: 'ref_after_first_trade', boundCode: null, isBound: false, value: 2_000 })
    expect(await ofTrader()).toBeUndefined()
    expect(await ofAffiliate()).toMatchObject({ volume: 0n, totalTraders: 0, activeTraders: 0 })
  })

  test('an unregistered code binds no trader', async () => {
    await changeTerms({ createdAt: hours(1) })
    await trade(0, 'FRIENDS')
    await trade(2, 'FRIENDS')
    await trade(3, 'NOBODYS', { trader: other })
    expect(await reasons()).toEqual([
      ['ref_after_first_trade', 0],
      ['code_not_found', 0],
    ])
    expect(await reasons(other)).toEqual([['code_not_found', 0]])
    expect(await ofTrader(other)).toBeUndefined()
  })

  test('a trade placed by a contract counts for its user', async () => {
    const contract: Address = `0x${'c0'.repeat(20)}`
    await trade(0, 'FRIENDS', { order: { owner: contract, onchainUser: trader } })
    await trade(1, 'FRIENDS', { order: { owner: contract, onchainUser: other } })
    expect(await reasons()).toEqual([['eligible', 2_000]])
    expect(await reasons(contract)).toEqual([])
    expect(await ofAffiliate()).toMatchObject({ volume: millionths(4_000), totalTraders: 2 })
  })

  test('unknown wallets have no statistics', async () => {
    expect(await reasons()).toEqual([])
    expect(await ofTrader()).toBeUndefined()
    expect(await ofAffiliate(trader)).toBeUndefined()
    expect(await ofAffiliate()).toMatchObject({ affiliate: { code: 'FRIENDS' }, volume: 0n, paid: 0n, totalTraders: 0 })
  })
})

describe('counted volume', () => {
  test('ends at the last moment of the time cap', async () => {
    await changeTerms({ timeCapDays: 2 })
    await trade(0, 'FRIENDS')
    await trade(48, 'FRIENDS')
    await trade(48.001, 'FRIENDS')
    expect(await reasons()).toEqual([
      ['time_cap_exceeded', 0],
      ['eligible', 2_000],
      ['eligible', 2_000],
    ])
  })

  test('ends at the volume cap, with a part of the trade that crosses it; each trader has its own cap', async () => {
    await changeTerms({ volumeCap: 5_000 })
    for (const at of [0, 1, 2, 3]) await trade(at, 'FRIENDS')
    await trade(4, 'FRIENDS', { trader: other })
    expect(await reasons()).toEqual([
      ['volume_cap_reached', 0],
      ['eligible', 1_000],
      ['eligible', 2_000],
      ['eligible', 2_000],
    ])
    expect(await ofTrader()).toMatchObject({ volume: millionths(5_000) })
    await changeTerms({ timeCapDays: 36_500 })
    expect(await ofAffiliate()).toMatchObject({ volume: millionths(7_000), totalTraders: 2, activeTraders: 1 })
  })

  test('ends when the code is disabled', async () => {
    await changeTerms({ disabledAt: hours(1), timeCapDays: 36_500 })
    await trade(0, 'FRIENDS')
    await trade(1, 'FRIENDS')
    await trade(2, 'FRIENDS', { trader: other })
    expect(await reasons()).toEqual([
      ['code_disabled', 0],
      ['eligible', 2_000],
    ])
    expect(await ofAffiliate()).toMatchObject({ volume: millionths(2_000), totalTraders: 1, activeTraders: 0 })
  })

  test('is nothing, not the volume cap, for a trader bound to a disabled code', async () => {
    await changeTerms({ disabledAt: hours(0), volumeCap: 5_000 })
    await trade(0, 'FRIENDS')
    expect(await reasons()).toEqual([['code_disabled', 0]])
    expect(await ofTrader()).toMatchObject({ volume: 0n })
    expect(await ofAffiliate()).toMatchObject({ volume: 0n, totalTraders: 0 })
  })

  test('contains trades before the first sample of the ether price, once there is one', async () => {
    await database.delete(priceSamples)
    await trade(0, 'FRIENDS')
    const sum = () => sumReferredHours(database, networks.sepolia.chainId, sql`${hours(3).toISOString()}::timestamptz`)
    await sum()
    expect(await ofTrader()).toMatchObject({ volume: 0n })
    await insertEtherPrice(database, hours(2))
    expect(await ofTrader()).toMatchObject({ volume: millionths(2_000) })
    await sum()
    expect(await ofTrader()).toMatchObject({ volume: millionths(2_000) })
  })

  test('counts a trader as active until its time cap', async () => {
    await trade(0, 'FRIENDS', { at: new Date(Date.now() - 80 * 86_400_000) })
    await trade(0, 'FRIENDS', { trader: other, at: new Date(Date.now() - 91 * 86_400_000) })
    expect(await ofAffiliate()).toMatchObject({ totalTraders: 2, activeTraders: 1 })
  })

  test.each<[string, Partial<TestTrade>]>([
    ['no price in the auction', { price: null }],
    ['an unattributed settlement', { isAttributed: false }],
  ])('%s: the value is unknown, which takes nothing from the cap', async (_, changes) => {
    await changeTerms({ volumeCap: 2_000 })
    await trade(0, 'FRIENDS', changes)
    expect(await ofTrader()).toMatchObject({ volume: 0n })
    expect(await ofAffiliate()).toMatchObject({ volume: 0n, totalTraders: 0 })
    await trade(1, 'FRIENDS')
    expect(await ofTrader()).toMatchObject({ volume: millionths(2_000) })
    expect(await reasons()).toEqual([
      ['eligible', 2_000],
      ['value_unknown', 0],
    ])
    expect((await selectTraderActivity(database, trader))[1]).toMatchObject({ value: null, isBound: true })
  })

  test('a trade earns no more than the protocol fees that it paid, and nothing without them', async () => {
    // 20 dollars for each 1,000: a fee of 2,000 · 0.001 backs 100 dollars of volume
    const thousandth = 10n ** 15n
    await trade(0, 'FRIENDS', { protocolFee: thousandth })
    await trade(1, 'FRIENDS', { protocolFee: 0n })
    await trade(2, 'FRIENDS', { protocolFee: thousandth, trader: other })
    expect(await reasons()).toEqual([
      ['no_protocol_fee', 0],
      ['eligible', 100],
    ])
    expect((await selectTraderActivity(database, trader)).map(({ value }) => value)).toEqual([2_000, 2_000])
    expect(await ofTrader()).toMatchObject({ volume: millionths(100) })
    expect(await ofAffiliate()).toMatchObject({ volume: millionths(200), totalTraders: 2 })
    await sumReferredHours(database, networks.sepolia.chainId, sql`${hours(5).toISOString()}::timestamptz`)
    expect(await ofAffiliate()).toMatchObject({ volume: millionths(200), totalTraders: 2 })
  })

  test('is valued by the auction price and the ether price at settlement, to a millionth of a dollar', async () => {
    await insertEtherPrice(database, hours(10), 3_000.123456)
    await trade(1, 'FRIENDS', { sellAmount: 1_234_567n, price: 10n ** 30n / 3n })
    await trade(9, 'FRIENDS')
    // 1.234567 tokens with 6 decimals, each worth a third of an ether
    expect(await selectTraderActivity(database, trader)).toMatchObject([{ value: 3_000.123456 }, { value: 823.044667 }])
  })

  test('very large values are still numbers', async () => {
    await trade(0, 'FRIENDS', { sellAmount: 2n ** 256n - 1n, price: 2n ** 256n - 1n })
    expect((await ofTrader())?.volume).toBeGreaterThan(10n ** 100n)
    expect((await ofAffiliate())?.volume).toBeGreaterThan(10n ** 100n)
  })
})

test('payouts are listed by their purpose', async () => {
  const transfer = { walletAddress: friends.walletAddress, chainId: 1 }
  const rows = [
    { ...transfer, role: 'affiliate' as const, amount: '10.5', transactionHash: `0x${'01'.repeat(32)}` as const },
    { ...transfer, role: 'affiliate' as const, amount: '1.25', transactionHash: `0x${'02'.repeat(32)}` as const },
    { ...transfer, role: 'trader' as const, amount: '7', transactionHash: `0x${'01'.repeat(32)}` as const },
  ]
  await database.insert(affiliatePayouts).values(rows)
  await trade(0, 'RIVALS', { trader: friends.walletAddress })
  expect(await ofAffiliate()).toMatchObject({ paid: millionths(11.75) })
  expect(await ofTrader(friends.walletAddress)).toMatchObject({ paid: millionths(7) })
  await expect(database.insert(affiliatePayouts).values(rows[0] as never)).rejects.toThrow()
})

test('lists the newest fifty payouts and counts all of them', async () => {
  for (let at = 0; at < 52; at++) await trade(at, 'FRIENDS')
  const shown = await selectTraderActivity(database, trader)
  expect(shown).toHaveLength(50)
  expect(shown[0]?.settledAt).toEqual(hours(51))
  expect(await ofTrader()).toMatchObject({ volume: millionths(104_000) })
})

/** A trader's hours in the time for which its code counts. */
const hoursOfCode = 100 * 24
// the hours of the trader with most trades in the 100 days of its code, and a few look-ups for each other trader
measureRows(
  selectAffiliateStatistics,
  (database) => selectAffiliateStatistics(database, '0x0000000000000000000000000000000000000001'),
  { acrossNetworks: true, reads: (h) => hoursOfCode + (h.orders / 1_000) * 15 },
)
measureRows(selectTraderStatistics, (database, h) => selectTraderStatistics(database, h.busyOwner), {
  acrossNetworks: true,
  reads: hoursOfCode,
})
// the trades of the newest hours, which have no sums yet, are read one by one
measureRows(selectTraderActivity, (database, h) => selectTraderActivity(database, h.busyOwner), {
  acrossNetworks: true,
  reads: (h) => hoursOfCode + 200 + h.rowsOfDays(1 / 8, 1),
})
// reads the trades of each hour that it adds up
measureRows(sumReferredHours, (database, h) => sumReferredHours(database, h.chainId), {
  reads: (h) => Math.ceil(h.orders / 7_200) * 8,
})
