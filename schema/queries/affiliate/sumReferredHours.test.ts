import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { sumReferredHours } from './sumReferredHours.ts'

// reads the trades of each hour that it adds up
measureRows(sumReferredHours, (database, h) => sumReferredHours(database, h.chainId), {
  reads: (h) => Math.ceil(h.orders / 7_200) * 8,
})
