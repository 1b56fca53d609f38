import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertFeePolicies } from './feePolicies.ts'

measureRows(insertFeePolicies, (database, h) =>
  insertFeePolicies(database, h.chainId, h.orders, [
    { orderUid: h.openUid(), applicationOrder: 0, kind: 'volume', volumeFactor: 0.01 },
  ]),
)
