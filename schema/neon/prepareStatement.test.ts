import { and, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { insertAppData } from '../queries/orders/appData.ts'
import { insertOrder } from '../queries/orders/orders.ts'
import { appData } from '../tables/orders/appData.ts'
import { orders } from '../tables/orders/orders.ts'
import { orderQuotes } from '../tables/quotes/orderQuotes.ts'
import { prepareStatement } from './prepareStatement.ts'

const { chainId } = networks.sepolia
let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await startTestDatabase()
  const { database } = testDatabase
  const known = newOrder(1, { validFrom: 1_900_000_000, referrerCode: 'CODE', partnerFees: [] })
  await insertOrder(database, known)
  await insertOrder(database, newOrder(2, { appDataHash: `0x${'ab'.repeat(32)}` }))
  await insertAppData(database, known.appDataHash, '{}')
  const quote = { chainId, orderUid: known.uid, quoteId: 7, sellAmount: 10n ** 77n, buyAmount: 0n, gasAmount: 1n }
  await database.insert(orderQuotes).values({
    ...{ ...quote, gasPrice: 1n, sellTokenPrice: 1.5, feeAmount: 2n, solver: known.owner, verified: true },
    metadata: { version: '1.0', interactions: [] },
  })
})
afterAll(() => testDatabase?.close())

/** Both rows, one with a document and a quote, and one without either. */
const selects = {
  'columns of left-joined tables': () =>
    testDatabase.database
      .select({ order: getTableColumns(orders), fullAppData: appData.fullAppData, quote: getTableColumns(orderQuotes) })
      .from(orders)
      .leftJoin(appData, eq(appData.hash, orders.appDataHash))
      .leftJoin(orderQuotes, and(eq(orderQuotes.chainId, orders.chainId), eq(orderQuotes.orderUid, orders.uid)))
      .orderBy(orders.uid),
  'an object of columns of two tables': () =>
    testDatabase.database
      .select({ mixed: { quoteId: orderQuotes.quoteId, uid: orders.uid } })
      .from(orders)
      .leftJoin(orderQuotes, eq(orderQuotes.orderUid, orders.uid))
      .orderBy(orders.uid),
  'right-joined tables': () =>
    testDatabase.database
      .select({ quote: { id: orderQuotes.quoteId }, order: { uid: orders.uid } })
      .from(orderQuotes)
      .rightJoin(orders, eq(orderQuotes.orderUid, orders.uid))
      .orderBy(orders.uid),
  expressions: () =>
    testDatabase.database
      .select({
        plain: sql<string>`${orders.sellAmount} * 2`,
        mapped: sql`${orders.sellAmount} * 2`.mapWith(orders.sellAmount),
        aliased: sql`${orders.createdAt}`.mapWith(orders.createdAt).as('aliased'),
        object: { json: sql`json_build_object('a', null)`, none: sql`null`, flag: orders.invalidated },
      })
      .from(orders)
      .orderBy(orders.uid),
  'one table': () => testDatabase.database.select().from(orderQuotes),
  'no row': () => testDatabase.database.select().from(orders).where(sql`false`),
  'an aggregate': () => testDatabase.database.select({ orders: count() }).from(orders),
  'raw SQL': () =>
    testDatabase.database.execute(sql`select uid, created_at, kind, null as none from orders order by uid`),
}

test.each(Object.entries<() => PromiseLike<unknown>>(selects))('%s are read as by drizzle', async (_, select) => {
  expect(await testDatabase.database.runPrepared(prepareStatement(select()), {})).toEqual(await select())
})

test('placeholders are encoded like the values of their columns, null is SQL null', async () => {
  const { database } = testDatabase
  const uid = sql.param(sql.placeholder('uid'), orders.uid)
  const statement = prepareStatement(database.execute<{ owner: string | null }>(sql`select ${uid}::bytea as owner`))
  const read = async (values: object) => (await database.runPrepared(statement, { ...values })).rows
  expect(await read({ uid: orderUidOf(1) })).toEqual([{ owner: `\\x${orderUidOf(1).slice(2)}` }])
  expect(await read({ uid: null })).toEqual([{ owner: null }])
  expect(await read({ uid: undefined })).toEqual([{ owner: null }])
  await expect(read({})).rejects.toThrow('no value for the placeholder uid')
})

test('a batch is one transaction with the results in order', async () => {
  const { database } = testDatabase
  const hash = sql.param(sql.placeholder('hash'), appData.hash)
  const insert = prepareStatement(
    database.execute(sql`insert into app_data (hash, full_app_data) values (${hash}, '{}')`),
  )
  const select = prepareStatement(database.select({ documents: count() }).from(appData))
  const before = await database.runPrepared(select, {})
  const values = { hash: `0x${'01'.repeat(32)}` }
  await expect(database.runPreparedBatch([insert, insert], values)).rejects.toMatchObject({ code: '23505' })
  expect(await database.runPrepared(select, {})).toEqual(before)
  const [inserted, rows] = await database.runPreparedBatch([insert, select], values)
  expect(inserted.rowCount).toBe(1)
  expect(rows).toEqual([{ documents: (before[0]?.documents ?? 0) + 1 }])
})
