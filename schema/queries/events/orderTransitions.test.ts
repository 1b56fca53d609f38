import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertTransitions } from './orderTransitions.ts'

measureRows(
  insertTransitions,
  (database, h) =>
    insertTransitions(
      database,
      h.chainId,
      h.orders,
      h.listed(0, 50).map(({ uid }) => ({ uid, label: 'considered', reason: null })),
    ),
  { reads: 100 },
)
