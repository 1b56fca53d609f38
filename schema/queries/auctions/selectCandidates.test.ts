import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectCandidates } from './selectCandidates.ts'

measureRows(selectCandidates, (database, h) => selectCandidates(database, h.chainId, nowSeconds(), 0))
