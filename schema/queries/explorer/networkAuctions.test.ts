import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectNetworkAuctions } from './networkAuctions.ts'

measureRows(selectNetworkAuctions, (database, h) => selectNetworkAuctions(database, h.chainId, { limit: 100 }))
measureRows(selectNetworkAuctions, (database, h) =>
  selectNetworkAuctions(database, h.chainId, { limit: 100, before: h.auctionId, onlyPast: true }),
)
