import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectSolverStatistics } from './solverStatistics.ts'

measureRows(selectSolverStatistics, (database, h) => selectSolverStatistics(database, h.chainId), {
  reads: (h) => h.rowsOfDays(7, 4),
})
