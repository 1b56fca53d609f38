import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { deleteStaleCopies } from './quoteCopies.ts'

measureRows(deleteStaleCopies, (database, h) => deleteStaleCopies(database, h.chainId, [h.openUid(), h.openUid(1)]), {
  reads: 4,
})
