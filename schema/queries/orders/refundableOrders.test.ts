import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectRefundableOrders } from './refundableOrders.ts'

measureRows(selectRefundableOrders, (database, h) =>
  selectRefundableOrders(
    database,
    { chainId: h.chainId, ethFlow: h.busyOwner },
    { from: nowSeconds() - 86_400, before: nowSeconds(), limit: 100, after: undefined },
  ),
)
