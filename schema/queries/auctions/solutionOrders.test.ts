import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertSolutionOrders } from './solutionOrders.ts'

measureRows(insertSolutionOrders, (database, h) =>
  insertSolutionOrders(database, h.chainId, h.orders, [
    {
      solutionUid: 0,
      orderUid: h.openUid(),
      side: 'sell',
      sellToken: h.sellToken,
      buyToken: h.buyToken,
      limitSell: 1n,
      limitBuy: 1n,
      executedSell: 1n,
      executedBuy: 1n,
    },
  ]),
)
