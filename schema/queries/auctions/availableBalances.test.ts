import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { updateAvailableBalances } from './availableBalances.ts'

measureRows(updateAvailableBalances, (database, h) =>
  updateAvailableBalances(
    database,
    h.chainId,
    h.listed(0, 50).map(({ uid }) => ({ uid, available: 1n })),
  ),
)
