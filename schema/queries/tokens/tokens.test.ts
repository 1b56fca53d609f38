import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertTokens, selectTokens } from './tokens.ts'

measureRows(selectTokens, (database, h) => selectTokens(database, [{ chainId: h.chainId, address: h.sellToken }]))
measureRows(insertTokens, (database, h) =>
  insertTokens(database, [{ chainId: h.chainId, address: h.solver, decimals: 18, symbol: 'T' }]),
)
