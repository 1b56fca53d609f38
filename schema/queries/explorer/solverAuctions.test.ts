import { type Address, pad } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { selectSolverAuctions } from './solverAuctions.ts'

const { chainId } = networks.sepolia
const solver: Address = pad('0x5a', { size: 20 })
const { database, close } = await startTestDatabase()
afterAll(close)

test('a page without matches among a thousand auctions ends where it stopped', async () => {
  const rows = Array.from({ length: 1_100 }, (_, i) => ({ chainId, id: i + 1, block: 1, deadlineBlock: 2, prices: {} }))
  await database.insert(auctions).values(rows)
  const leftOut = [{ solver, kind: 'failed' as const, reason: 'Timeout: no response within 1000 ms' }]
  await database
    .insert(auctions)
    .values({ ...rows[0], chainId, id: 2_000, block: 1, deadlineBlock: 2, prices: {}, leftOut })
  const first = await selectSolverAuctions(database, chainId, solver, { limit: 20 })
  expect(first.auctions.map(({ id, leftOut }) => [id, leftOut?.kind])).toEqual([[2_000, 'failed']])
  expect(first.next).toBe(81)
  const last = await selectSolverAuctions(database, chainId, solver, { limit: 20, before: 81 })
  expect(last).toMatchObject({ auctions: [], next: null })
})

measureRows(
  selectSolverAuctions,
  (database, h) => selectSolverAuctions(database, h.chainId, h.busyOwner, { limit: 100 }),
  { reads: 3_500 },
)
