import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { recomputeOrders } from './executedOrders.ts'

measureRows(recomputeOrders, (database, h) => recomputeOrders(database, h.chainId, h.lookFrom, [h.openUid()]), {
  reads: storedBlocks * 12,
})
