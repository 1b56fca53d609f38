import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertSuspension, selectParticipation } from './solverSuspensions.ts'

measureRows(selectParticipation, (database, h) => selectParticipation(database, h.chainId, [h.solver]), { reads: 500 })
measureRows(insertSuspension, (database, { chainId, solver, orders: auctionId }) =>
  insertSuspension(database, {
    chainId,
    solver,
    auctionId,
    from: new Date(),
    until: new Date(),
    reason: 'timeout',
    failures: 3,
    level: 1,
  }),
)
