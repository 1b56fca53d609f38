import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectTradedTokens } from './tradedTokens.ts'

measureRows(selectTradedTokens, (database, h) => selectTradedTokens(database, h.chainId, nowSeconds()), {
  reads: (h) => 20_000 + h.openOrders,
})
