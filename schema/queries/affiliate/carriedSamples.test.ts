import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertCarriedSamples, selectNewestSample, selectSamplesToCarry } from './carriedSamples.ts'

measureRows(insertCarriedSamples, (database, h) => insertCarriedSamples(database, h.chainId, '[]'))
measureRows(selectNewestSample, (database, h) => selectNewestSample(database, h.chainId))
measureRows(
  selectSamplesToCarry,
  (database, h) => selectSamplesToCarry(database, h.chainId, { after: null, limit: 2_000 }),
  { reads: 2_000 },
)
