import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertCarriedSamples, selectNewestSample, selectSamplesToCarry } from './carriedSamples.ts'

measureRows(insertCarriedSamples, (database, { chainId, wrappedNative }) => {
  const token = `\\x${wrappedNative.slice(2)}`
  // the second belongs to no network that the samples are of
  const samples = [chainId, 1].map((chain_id) => ({ chain_id, token, sampled_at: new Date(0), price: 1 }))
  return insertCarriedSamples(database, chainId, JSON.stringify(samples))
})
measureRows(selectNewestSample, (database, h) => selectNewestSample(database, h.chainId))
measureRows(
  selectSamplesToCarry,
  (database, h) => selectSamplesToCarry(database, h.chainId, { after: null, limit: 2_000 }),
  { reads: 2_000 },
)
