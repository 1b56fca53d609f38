import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { replaceYieldPools, selectAverageAprs, selectYieldPools } from './yieldPools.ts'

measureRows(selectAverageAprs, (database, h) => selectAverageAprs(database, h.chainId))
measureRows(selectYieldPools, (database, h) => selectYieldPools(database, h.chainId, [], 10))
measureRows(replaceYieldPools, (database, h) =>
  replaceYieldPools(database, h.chainId, [
    { id: 'p', contractAddress: h.solver, project: 'p', apr: 1, fee: null, tvl: 1, volume: null },
  ]),
)
