import { type Address, type Hex, pad, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { knownHandlers } from '#shared/strategies/describeConditional.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { runBatch } from '../fragments/runBatch.ts'
import { countOpenConditionalOrders, selectConditionalOrder, selectConditionalOrders } from './conditionalOrderPages.ts'
import { insertConditionalEvents, insertConditionalOrders } from './insertConditionalEvents.ts'
import { selectBlockWork } from './selectDue.ts'
import { endRemoved, storeVerdicts } from './storeVerdicts.ts'

const key = (uid: Hex, owner: Address) => ({ owner, hash: uid.slice(0, 66) as Hex })
const toRow = (uid: Hex, owner: Address) => ({
  ...key(uid, owner),
  handler: owner,
  salt: uid.slice(0, 66) as Hex,
  staticInput: '0x' as const,
  proof: [],
  blockNumber: 2,
  logIndex: 0,
  transactionHash: null,
})

measureRows(selectConditionalOrders, (database, h) =>
  selectConditionalOrders(database, h.chainId, { owner: h.busyOwner }, { limit: 20 }),
)
measureRows(selectConditionalOrder, (database, h) =>
  selectConditionalOrder(database, h.chainId, key(h.uid, h.busyOwner)),
)
measureRows(
  countOpenConditionalOrders,
  (database, h) => countOpenConditionalOrders(database, h.chainId, h.busyOwner, 1_000),
  { reads: 1_000 },
)
measureRows(insertConditionalEvents, (database, h) =>
  runBatch(database, insertConditionalEvents(database, h.chainId, { created: [toRow(h.uid, h.busyOwner)], roots: [] })),
)
measureRows(insertConditionalOrders, (database, h) =>
  insertConditionalOrders(database, h.chainId, [toRow(h.uid, h.busyOwner)]),
)
measureRows(
  selectBlockWork,
  (database, h) =>
    selectBlockWork(
      database,
      h.chainId,
      { number: h.tip, hash: '0x', timestamp: new Date(1_800_000_000_000) },
      undefined,
      { due: 400, keys: 400 },
    ),
  { reads: (h) => h.orders / 50 },
)
measureRows(storeVerdicts, (database, h) =>
  storeVerdicts(database, h.chainId, h.tip, [
    {
      ...key(h.uid, h.busyOwner),
      state: 'open',
      nextBlock: 1,
      nextTime: 1,
      failures: 0,
      unfilled: 0,
      verdict: { reason: 'partPlaced', uid: h.uid },
      partUid: h.uid,
    },
  ]),
)
measureRows(endRemoved, (database, h) => endRemoved(database, h.chainId, h.tip, [key(h.uid, h.busyOwner)]))

let store: TestDatabase
beforeAll(async () => {
  store = await startTestDatabase()
  await emptyDatabase(store.database)
})
afterAll(() => store?.close())

test('a crowd that is due in every block delays no order that was traded, none of a known handler and none that waited longer', async () => {
  const { chainId } = networks.sepolia
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
  await store.database.insert(conditionalOrders).values([...crowd, ...failing, ...greedy, ...honest])
  const block = { number: 100, hash: '0xaa', timestamp: new Date(1_800_000_000_000) } as const
  const { due } = await selectBlockWork(store.database, chainId, block, undefined, { due: 40, keys: 1 })
  const owners = due.map(({ owner }) => Number(owner))
  expect(owners).toHaveLength(40)
  expect(owners).toEqual(expect.arrayContaining([1, 2, 3, 4]))
  expect(owners.filter((owner) => owner === 9)).toHaveLength(20)
})
