import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { maxOffset } from '../../../functions/orders/lookup/page.ts'
import { orders } from '../../tables/orders/orders.ts'
import { selectAccountOrders } from './accountOrders.ts'
import type { NewOrder } from './orders.ts'

const { chainId } = networks.sepolia
const account: Address = '0x6000000000000000000000000000000000000006'
const contract: Address = '0x7000000000000000000000000000000000000007'
const presign = { signingScheme: 'presign', signature: '0x' } as const
const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(() => emptyDatabase(database))

/** An order of the account; a lower seed is newer. */
const build = (seed: number, changes: Partial<NewOrder> = {}) => {
  const { fullAppData: _, ...row } = newOrder(seed, { owner: account, createdAt: new Date(1e12 - seed), ...changes })
  return row
}
const insert = (...rows: (typeof orders.$inferInsert)[]) => database.insert(orders).values(rows)
const select = async (page: Partial<Parameters<typeof selectAccountOrders>[3]> = {}) =>
  (await selectAccountOrders(database, chainId, account, { offset: 0, limit: 100, ...page })).map(({ uid }) => uid)
const uidsOf = (...seeds: number[]) => seeds.map((seed) => orderUidOf(seed, account))
const placed = (seed: number) => build(seed, { owner: contract, onchainUser: account })

test('lists signed orders before unsigned ones, each part newest first', async () => {
  await insert(
    build(1, presign),
    build(2, presign),
    build(3),
    placed(4),
    build(5, { ...presign, presigned: true }),
    build(6, { ...presign, onchainUser: account }),
    build(0, { ...presign, chainId: 1 }),
    build(7, { chainId: 1 }),
  )
  const expected = [...uidsOf(3), orderUidOf(4, contract), ...uidsOf(5, 6, 1, 2)]
  expect(await select()).toEqual(expected)
  expect(await select({ offset: 3, limit: 2 })).toEqual(expected.slice(3, 5))
  expect(await select({ signed: true })).toEqual(expected.slice(0, 4))
  expect(await select({ signed: false })).toEqual(expected.slice(4))
  for (const [index, after] of expected.entries()) {
    expect(await select({ after })).toEqual(expected.slice(index + 1))
    expect(await select({ after, signed: false })).toEqual(expected.slice(Math.max(index + 1, 4)))
    expect(await select({ after, signed: true })).toEqual(expected.slice(index + 1, 4))
  }
  expect(await select({ after: orderUidOf(99, account) })).toEqual([])
  expect(await select({ after: orderUidOf(0, account) })).toEqual([])
})

test('pages of any size together contain each order once', async () => {
  await insert(
    ...Array.from({ length: 25 }, (_, i) =>
      build(
        i % 5,
        i % 3 === 0 ? { ...presign, uid: orderUidOf(100 + i, account) } : { uid: orderUidOf(100 + i, account) },
      ),
    ),
  )
  const all = await select()
  expect(new Set(all).size).toBe(25)
  for (const limit of [1, 4, 10]) {
    const seen: Hex[] = []
    for (let page = await select({ limit }); page.length > 0; page = await select({ limit, after: seen.at(-1) }))
      seen.push(...page)
    expect(seen).toEqual(all)
  }
})

test('a page reads only its own rows, even beside many unsigned orders of strangers', async () => {
  await insert(...Array.from({ length: 20 }, (_, i) => build(5_000 + i)))
  for (let i = 0; i < 4_000; i += 1_000) await insert(...Array.from({ length: 1_000 }, (_, j) => build(i + j, presign)))
  await database.execute(sql`analyze ${orders}`)
  expect(await select({ limit: 10 })).toEqual(uidsOf(...Array.from({ length: 10 }, (_, i) => 5_000 + i)))
  const before = await countReads()
  await select({ limit: 10 })
  expect((await countReads()) - before).toBeLessThan(200)
})

/** Rows of the table fetched by scans of any kind in this database. */
const countReads = async (): Promise<number> => {
  await database.execute(sql`select pg_stat_force_next_flush()`)
  const { rows } = await database.execute<{ reads: string }>(
    sql`select seq_tup_read + idx_tup_fetch as reads from pg_stat_user_tables where relname = 'orders'`,
  )
  return Number(rows[0]?.reads)
}

const page = { offset: 0, limit: 100 }
const deep = { offset: maxOffset, limit: 100 }
measureRows(selectAccountOrders, (database, h) => selectAccountOrders(database, h.chainId, h.busyOwner, page))
measureRows(selectAccountOrders, (database, h) => selectAccountOrders(database, h.chainId, h.onchainUser, page))
measureRows(selectAccountOrders, (database, h) => selectAccountOrders(database, h.chainId, h.busyOwner, deep), {
  reads: maxOffset * 2,
})
measureRows(selectAccountOrders, (database, h) =>
  selectAccountOrders(database, h.chainId, h.busyOwner, { ...page, after: h.uid }),
)
measureRows(selectAccountOrders, (database, h) =>
  selectAccountOrders(database, h.chainId, h.busyOwner, { ...page, signed: true }),
)
measureRows(selectAccountOrders, (database, h) =>
  selectAccountOrders(database, h.chainId, h.busyOwner, { ...page, signed: false }),
)
