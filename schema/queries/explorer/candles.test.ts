import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectTradeCandles } from './candles.ts'

measureRows(
  selectTradeCandles,
  (database, { chainId, sellToken, buyToken }) =>
    selectTradeCandles(database, chainId, {
      base: [sellToken],
      quote: [buyToken],
      interval: 300,
      since: nowSeconds() - 86_400,
    }),
  { reads: (h) => h.rowsOfDays(1, 2) },
)
