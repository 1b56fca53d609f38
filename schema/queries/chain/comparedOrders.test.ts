import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectComparedOrders, selectIndexedEvents } from './comparedOrders.ts'

const { chainId } = networks.sepolia
let store: TestDatabase

beforeAll(async () => {
  store = await startTestDatabase()
})
afterAll(() => store?.close())
beforeEach(() => emptyDatabase(store.database))

test('open orders take turns in which each comes once, also when all end at the same time', async () => {
  const placed = Array.from({ length: 7 }, (_, i) =>
    newOrder(i + 1, { validTo: i < 5 ? 4_000_000_000 : 4_000_000_001 }),
  )
  for (const order of placed) await insertOrder(store.database, order)
  await insertOrder(store.database, newOrder(9, { validTo: 1_000 }))
  let turn = { lastValid: 0, uid: '0x' as `0x${string}` }
  const seen: string[] = []
  for (let i = 0; i < 3; i++) {
    const rows = await selectComparedOrders(store.database, chainId, { failedFrom: 0, turn, now: 2_000, limit: 3 }, [])
    expect(rows.every(({ inTurn, executed }) => inTurn && executed === 0n)).toBe(true)
    const sorted = rows.toSorted((a, b) => a.lastValid - b.lastValid || (a.uid < b.uid ? -1 : 1))
    seen.push(...sorted.map(({ uid }) => uid))
    turn = sorted.at(-1) ?? turn
  }
  expect(seen.toSorted()).toEqual(placed.map(({ uid }) => uid).toSorted())
})

measureRows(selectComparedOrders, (database, h) =>
  selectComparedOrders(
    database,
    h.chainId,
    { failedFrom: h.lookFrom, turn: { lastValid: 0, uid: '0x' }, now: Math.floor(Date.now() / 1_000), limit: 100 },
    [h.uid],
  ),
)
measureRows(selectIndexedEvents, (database, h) => selectIndexedEvents(database, h.chainId, h.uid))
