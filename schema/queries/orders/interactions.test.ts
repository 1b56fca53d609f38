import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { selectInteractions } from './interactions.ts'
import { insertOrder } from './orders.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

test('returns the calls of the orders that have any', async () => {
  const call = { target: `0x${'11'.repeat(20)}`, value: '0', callData: '0x12' } as const
  const [plain, hooked, other] = [newOrder(1), newOrder(2, { postInteractions: [call] }), newOrder(3)]
  for (const order of [plain, hooked, other]) await insertOrder(database, order)
  expect(await selectInteractions(database, networks.sepolia.chainId, [plain.uid, hooked.uid])).toEqual([
    { uid: hooked.uid, preInteractions: [], postInteractions: [call] },
  ])
})

measureRows(selectInteractions, (database, h) => selectInteractions(database, h.chainId, [h.uid, h.openUid()]))
