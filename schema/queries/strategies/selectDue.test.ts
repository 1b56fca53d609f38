import { type Address, type Hex, keccak256, pad, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { knownHandlers } from '#shared/strategies/describeConditional.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { insertConditionalOrders } from './insertConditionalEvents.ts'
import { selectBlockWork } from './selectDue.ts'
import { type StoredVerdict, storeVerdicts } from './storeVerdicts.ts'

const { chainId } = networks.sepolia
const honest: Address = `0x${'aa'.repeat(20)}`
const strangerOf = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const limits = { due: 40, keys: 1 }

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
beforeEach(() => emptyDatabase(testDatabase.database))
afterAll(() => testDatabase?.close())

const toRow = (owner: Address, salt: number) => {
  const hash: Hex = keccak256(toHex(`${owner}${salt}`))
  return { owner, hash, handler: owner, salt: hash, staticInput: '0x' as const, proof: [] }
}

/** The blocks in which the order of the honest owner is evaluated, whose condition does not hold. */
const watch = async (owners: Address[], ordersOfOwner: number): Promise<number[]> => {
  const { database } = testDatabase
  const rows = owners.flatMap((owner) => Array.from({ length: ordersOfOwner }, (_, i) => toRow(owner, i)))
  const place = { blockNumber: 1, logIndex: 0, transactionHash: null }
  await insertConditionalOrders(
    database,
    chainId,
    [...rows, toRow(honest, 0)].map((row) => ({ ...row, ...place })),
  )
  const evaluated: number[] = []
  for (let number = 10; number < 22; number++) {
    const block = { number, hash: toHex(number, { size: 32 }), timestamp: new Date(1_800_000_000_000) }
    await database.insert(blocks).values({ chainId, ...block })
    const { due } = await selectBlockWork(database, chainId, block, undefined, limits)
    if (due.some(({ owner }) => owner === honest)) evaluated.push(number)
    const verdicts = due.map(({ owner, hash, judgedBlock }): StoredVerdict => {
      const reason = owner === honest ? 'tryNextBlock' : 'notYet'
      const next = { nextBlock: number + 1, nextTime: 0, failures: 0, unfilled: 0, partUid: null }
      return { owner, hash, judgedBlock, state: 'open', ...next, verdict: { reason }, change: null }
    })
    await storeVerdicts(database, chainId, block, verdicts)
  }
  return evaluated
}

test('a stop loss is evaluated in each block, however many orders two strangers have that wait for the next block', async () => {
  expect(await watch([strangerOf(1), strangerOf(2)], 20)).toHaveLength(12)
})

test('more owners than one block has space for take turns', async () => {
  const owners = Array.from({ length: 100 }, (_, i) => strangerOf(i + 10))
  expect((await watch(owners, 1)).length).toBeGreaterThanOrEqual(4)
})

test('a crowd that is due in every block delays no order that was traded, none of a known handler and none that waited longer', async () => {
  const [known] = knownHandlers
  if (!known) throw new Error('no handler')
  const numbered = (n: number) => pad(toHex(n), { size: 20 })
  const row = (n: number, changes: Partial<typeof conditionalOrders.$inferInsert> = {}) => ({
    ...{ chainId, owner: numbered(n), hash: pad(toHex(n)), handler: numbered(7), salt: pad('0x'), proof: [] },
    ...{ staticInput: '0x' as const, blockNumber: 1, logIndex: 0, judgedBlock: 99, ...changes },
  })
  const crowd = Array.from({ length: 1_000 }, (_, i) => row(1_000 + i))
  const failing = Array.from({ length: 100 }, (_, i) => row(3_000 + i, { failures: 3 }))
  // one owner with many orders has few turns
  const greedy = Array.from({ length: 100 }, (_, i) => row(4_000 + i, { owner: numbered(9), handler: known }))
  const partUid: Hex = `0x${'ab'.repeat(56)}`
  const honest = [
    row(1, { partUid }),
    row(2, { handler: known }),
    row(3, { judgedBlock: 50 }),
    row(4, { judgedBlock: null }),
  ]
  await testDatabase.database.insert(conditionalOrders).values([...crowd, ...failing, ...greedy, ...honest])
  const block = { number: 100, hash: '0xaa', timestamp: new Date(1_800_000_000_000) } as const
  const { due } = await selectBlockWork(testDatabase.database, chainId, block, undefined, { due: 40, keys: 1 })
  const owners = due.map(({ owner }) => Number(owner))
  expect(owners).toHaveLength(40)
  expect(owners).toEqual(expect.arrayContaining([1, 2, 3, 4]))
  expect(owners.filter((owner) => owner === 9)).toHaveLength(20)
})
