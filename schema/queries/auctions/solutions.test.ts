import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectAuctionPrices, selectAuctionsWonWith, selectWinningSolutions } from './solutions.ts'

measureRows(selectAuctionsWonWith, (database, h) =>
  selectAuctionsWonWith(database, h.chainId, [h.uid, h.uidOf(h.middle + 1)]),
)
measureRows(
  selectWinningSolutions,
  (database, h) => selectWinningSolutions(database, h.chainId, [h.auctionId], h.middle),
  { reads: 100 },
)
measureRows(selectAuctionPrices, (database, h) => selectAuctionPrices(database, h.chainId, h.auctionId))
