import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { deleteReferredHoursFrom, insertReferredHours } from './referredHours.ts'

measureRows(deleteReferredHoursFrom, (database, h) => deleteReferredHoursFrom(database, h.chainId, h.tip - 100))
measureRows(insertReferredHours, (database, h) => insertReferredHours(database, h.chainId, h.lookFrom), {
  reads: storedBlocks * 4,
})
