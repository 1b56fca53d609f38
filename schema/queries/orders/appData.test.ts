import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf, newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { deleteUnreferencedAppData, insertAppData, selectAppData, unreferencedDays } from './appData.ts'
import { insertOrder } from './orders.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

test('the first document of a hash stays, byte for byte', async () => {
  const hash = `0x${'12'.repeat(32)}` as const
  const document = '{ "appCode" : "ü\\u0000✓",\n"metadata":{} }'
  expect(await selectAppData(database, hash)).toBeUndefined()
  expect(await insertAppData(database, hash, document)).toBe(true)
  expect(await insertAppData(database, hash, '{}')).toBe(false)
  expect(await selectAppData(database, hash)).toBe(document)
})

test('an old document that no order has is deleted, unless it was uploaded again', async () => {
  const hashes = [1, 2, 3, 4].map((i): Hex => `0x${`0${i}`.repeat(32)}`)
  for (const hash of hashes) await insertAppData(database, hash, '{}')
  await database.execute(sql`update app_data set created_at = now() - ${unreferencedDays + 1} * interval '1 day'`)
  await insertOrder(database, newOrder(1, { appDataHash: hashes[1] as Hex }))
  expect(await insertAppData(database, hashes[2] as Hex, '{}')).toBe(false)
  expect(await deleteUnreferencedAppData(database, '0x', 1)).toBe(1)
  expect(await deleteUnreferencedAppData(database, hashes[1] as Hex, 100)).toBe(2)
  expect(await Promise.all(hashes.map((hash) => selectAppData(database, hash)))).toEqual([
    undefined,
    '{}',
    '{}',
    undefined,
  ])
})

measureRows(deleteUnreferencedAppData, (database) => deleteUnreferencedAppData(database, '0x', 100), {
  reads: 100,
  acrossNetworks: true,
})
measureRows(selectAppData, (database) => selectAppData(database, hashOf(1)))
measureRows(insertAppData, (database) => insertAppData(database, hashOf(1), '{}'))
measureRows(insertAppData, (database) => insertAppData(database, hashOf(2), '{}'))
