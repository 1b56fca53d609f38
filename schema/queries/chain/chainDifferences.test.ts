import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { chainDifferences } from '../../tables/chain/chainDifferences.ts'
import { selectChainDifference, writeChainDifferences } from './chainDifferences.ts'

const { chainId } = networks.sepolia
let store: TestDatabase

beforeAll(async () => {
  store = await startTestDatabase()
})
afterAll(() => store?.close())

test('the oldest difference stands until it is repaired, and other networks have none', async () => {
  const { database } = store
  await writeChainDifferences(database, chainId, new Map([['b', 'first']]))
  // two statements may have the same time, to the millisecond of the embedded database
  await database.update(chainDifferences).set({ since: sql`${chainDifferences.since} - interval '1 second'` })
  const both = new Map([
    ['a', 'second'],
    ['b', 'first, seen again'],
  ])
  await writeChainDifferences(database, chainId, both)
  expect(await selectChainDifference(database, chainId, 0)).toBe('first, seen again')
  expect(await selectChainDifference(database, chainId, 60)).toBeUndefined()
  expect(await selectChainDifference(database, networks.gnosis.chainId, 0)).toBeUndefined()
  await writeChainDifferences(database, networks.gnosis.chainId, new Map())
  await writeChainDifferences(database, chainId, new Map([['a', 'second']]))
  expect(await selectChainDifference(database, chainId, 0)).toBe('second')
  await writeChainDifferences(database, chainId, new Map())
  expect(await selectChainDifference(database, chainId, 0)).toBeUndefined()
})

measureRows(selectChainDifference, (database, h) => selectChainDifference(database, h.chainId, 0))
measureRows(writeChainDifferences, (database, h) =>
  writeChainDifferences(database, h.chainId, new Map([['index', 'logs of block 1 are missing']])),
)
