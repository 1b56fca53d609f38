import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { selectPlacementReferences } from './selectPlacementReferences.ts'

measureRows(selectPlacementReferences, (database, h) =>
  selectPlacementReferences(database, h.chainId, { hashes: [hashOf(1)], quoteIds: [1, h.middle] }),
)
