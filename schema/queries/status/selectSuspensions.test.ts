import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectSuspensions } from './selectSuspensions.ts'

measureRows(selectSuspensions, (database, h) => selectSuspensions(database, h.chainId))
