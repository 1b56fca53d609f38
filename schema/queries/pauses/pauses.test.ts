import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { createPauseFinder } from './createPauseFinder.ts'
import { deletePause, selectPauses, upsertPause } from './pauses.ts'

const { chainId } = networks.sepolia
const token = `token:0x${'aa'.repeat(20)}` as const
let store: TestDatabase

beforeAll(async () => {
  store = await startTestDatabase()
})
afterAll(() => store?.close())

test('a pause holds for its network until it is lifted, and retains its time when its reason changes', async () => {
  const { database } = store
  await upsertPause(database, chainId, { subject: 'orders', reason: 'first' })
  await upsertPause(database, networks.gnosis.chainId, { subject: 'quotes', reason: 'elsewhere' })
  const [before] = await selectPauses(database, chainId)
  await upsertPause(database, chainId, { subject: 'orders', reason: 'second' })
  expect(await selectPauses(database, chainId)).toEqual([{ ...before, reason: 'second' }])
  expect(await deletePause(database, chainId, 'quotes')).toBe(false)
  expect(await deletePause(database, chainId, 'orders')).toBe(true)
  expect(await selectPauses(database, chainId)).toEqual([])
})

test('pauses are read once in five seconds, and the last known ones count while the database fails', async () => {
  let now = 0
  const ended = await startTestDatabase()
  const find = createPauseFinder({ database: ended.database, chainId }, () => now)
  await upsertPause(ended.database, chainId, { subject: token, reason: 'exploited' })
  const paused = new Map([[token, 'exploited']])
  expect(await find()).toEqual(paused)
  await deletePause(ended.database, chainId, token)
  now = 4_999
  expect(await find()).toEqual(paused)
  now = 5_000
  expect(await find()).toEqual(new Map())
  await upsertPause(ended.database, chainId, { subject: token, reason: 'exploited' })
  now = 10_000
  expect(await find()).toEqual(paused)
  await ended.close()
  now = 15_000
  expect(await find()).toEqual(paused)
  await expect(createPauseFinder({ database: ended.database, chainId }, () => now)()).rejects.toThrow()
})

measureRows(selectPauses, (database, h) => selectPauses(database, h.chainId))
measureRows(upsertPause, (database, h) => upsertPause(database, h.chainId, { subject: 'orders', reason: 'test' }))
measureRows(deletePause, (database, h) => deletePause(database, h.chainId, 'orders'))
