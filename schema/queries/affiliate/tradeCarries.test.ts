import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { lowerTradeCarry, markTradesCarried } from './tradeCarries.ts'

measureRows(lowerTradeCarry, (database, h) => lowerTradeCarry(database, h.chainId, h.tip - 9))
measureRows(markTradesCarried, (database, h) =>
  markTradesCarried(database, h.chainId, { block: 0, undone: 0, reach: 0, isLast: false, finalAt: null, trades: '[]' }),
)
