import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectSettlementFailures } from './selectSettlementFailures.ts'

measureRows(selectSettlementFailures, (database, h) => selectSettlementFailures(database, h.chainId))
measureRows(selectSettlementFailures, (database, h) => selectSettlementFailures(database, h.chainId, h.uid))
