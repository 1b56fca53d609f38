import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertCarriedTrades, selectTradesToCarry } from './carriedTrades.ts'

measureRows(
  insertCarriedTrades,
  async (database, { chainId }) =>
    insertCarriedTrades(database, chainId, await selectTradesToCarry(database, chainId, 500)),
  // the trades that are read, and those of an hour of each sum
  { reads: (h) => 500 * 8 + Math.ceil(h.orders / 7_200) * 8 },
)
measureRows(selectTradesToCarry, (database, h) => selectTradesToCarry(database, h.chainId, 500), { reads: 500 * 8 })
