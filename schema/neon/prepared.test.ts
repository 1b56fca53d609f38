import { and, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { insertAppData } from '../queries/orders/appData.ts'
import { insertOrder } from '../queries/orders/orders.ts'
import { appData } from '../tables/orders/appData.ts'
import { orders } from '../tables/orders/orders.ts'
import { orderQuotes } from '../tables/quotes/orderQuotes.ts'
import { prepared } from './prepared.ts'

const { chainId } = networks.sepolia
const { database, close } = await startTestDatabase()

beforeAll(async () => {
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
afterAll(close)

/** Both rows, one with a document and a quote, and one without either. */
const selects = {
  'columns of left-joined tables': () =>
    database
      .select({ order: getTableColumns(orders), fullAppData: appData.fullAppData, quote: getTableColumns(orderQuotes) })
      .from(orders)
      .leftJoin(appData, eq(appData.hash, orders.appDataHash))
      .leftJoin(orderQuotes, and(eq(orderQuotes.chainId, orders.chainId), eq(orderQuotes.orderUid, orders.uid)))
      .orderBy(orders.uid),
  'an object of columns of two tables': () =>
    database
      .select({ mixed: { quoteId: orderQuotes.quoteId, uid: orders.uid } })
      .from(orders)
      .leftJoin(orderQuotes, eq(orderQuotes.orderUid, orders.uid))
      .orderBy(orders.uid),
  'right-joined tables': () =>
    database
      .select({ quote: { id: orderQuotes.quoteId }, order: { uid: orders.uid } })
      .from(orderQuotes)
      .rightJoin(orders, eq(orderQuotes.orderUid, orders.uid))
      .orderBy(orders.uid),
  expressions: () =>
    database
      .select({
        plain: sql<string>`${orders.sellAmount} * 2`,
        mapped: sql`${orders.sellAmount} * 2`.mapWith(orders.sellAmount),
        aliased: sql`${orders.createdAt}`.mapWith(orders.createdAt).as('aliased'),
        object: { json: sql`json_build_object('a', null)`, none: sql`null`, flag: orders.invalidated },
      })
      .from(orders)
      .orderBy(orders.uid),
  'one table': () => database.select().from(orderQuotes),
  'no row': () => database.select().from(orders).where(sql`false`),
  'an aggregate': () => database.select({ orders: count() }).from(orders),
  'raw SQL': () => database.execute(sql`select uid, created_at, kind, null as none from orders order by uid`),
}

test.each(Object.entries<() => PromiseLike<unknown>>(selects))('%s are read as by drizzle', async (_, select) => {
  expect(await prepared(select)(database, {})).toEqual(await select())
})

test('given values are encoded like those of their columns, null is SQL null', async () => {
  const select = prepared((own, given) =>
    own.execute<{ owner: string | null }>(sql`select ${given('uid', orders.uid)}::bytea as owner`),
  )
  const read = async (values: object) => (await select(database, { ...values })).rows
  expect(await read({ uid: orderUidOf(1) })).toEqual([{ owner: `\\x${orderUidOf(1).slice(2)}` }])
  expect(await read({ uid: null })).toEqual([{ owner: null }])
  expect(await read({ uid: undefined })).toEqual([{ owner: null }])
  await expect(read({})).rejects.toThrow('no value for the placeholder uid')
})

test('each variant has a text of its own', async () => {
  const select = prepared((own, given, { isDoubled, by }: { isDoubled: boolean; by: number }) =>
    own.execute(sql`select ${given('value')}::int * ${sql.raw(String(isDoubled ? 2 : by))} as value`),
  )
  const read = async (variant: { isDoubled: boolean; by: number }) =>
    (await select(database, { value: 1 }, variant)).rows
  expect(await read({ isDoubled: true, by: 3 })).toEqual([{ value: 2 }])
  expect(await read({ isDoubled: false, by: 3 })).toEqual([{ value: 3 }])
  expect(await read({ isDoubled: false, by: 4 })).toEqual([{ value: 4 }])
})

test('a batch is one transaction with the results in order, beside statements that are not prepared', async () => {
  const insert = prepared((own, given) =>
    own.execute(sql`insert into app_data (hash, full_app_data) values (${given('hash', appData.hash)}, '{}')`),
  )
  const select = prepared((own) => own.select({ documents: count() }).from(appData))
  const before = await select(database, {})
  const values = { hash: `0x${'01'.repeat(32)}` }
  await expect(database.batch([insert(database, values), insert(database, values)])).rejects.toMatchObject({
    code: '23505',
  })
  expect(await select(database, {})).toEqual(before)
  const plain = database.select({ documents: count() }).from(appData)
  const [inserted, rows, same] = await database.batch([insert(database, values), select(database, {}), plain])
  expect(inserted.rowCount).toBe(1)
  expect(rows).toEqual([{ documents: (before[0]?.documents ?? 0) + 1 }])
  expect(same).toEqual(rows)
})
