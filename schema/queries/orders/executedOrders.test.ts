import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { keptBlocks } from '../chain/blocks.ts'
import { recomputeOrders } from './executedOrders.ts'

measureRows(recomputeOrders, (database, h) => recomputeOrders(database, h.chainId, h.lookFrom, [h.openUid()]), {
  reads: keptBlocks * 12,
})
