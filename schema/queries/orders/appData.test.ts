import { afterAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { insertAppData, selectAppData } from './appData.ts'

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

measureRows(selectAppData, (database) => selectAppData(database, hashOf(1)))
measureRows(insertAppData, (database) => insertAppData(database, hashOf(1), '{}'))
measureRows(insertAppData, (database) => insertAppData(database, hashOf(2), '{}'))
