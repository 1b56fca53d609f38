import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { insertPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { selectTradedTokens } from '#schema/queries/tokens/tradedTokens.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { type Network, wrapToken } from '#shared/networks.ts'
import type { FoundPrices } from './findSampledPrices.ts'

export type SampleDeps = {
  database: Database
  findPrices: (tokens: readonly Address[]) => Promise<FoundPrices>
  /** Unix milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
}

const maxTokens = 300

/**
 * Records the current prices of a network's traded tokens: always its native token and its US dollar reference, then as
 * many others as the limit allows. Tokens without a known price get no sample.
 */
export const samplePrices = async (deps: SampleDeps, network: Network): Promise<void> => {
  const now = Math.floor(deps.now() / 1_000)
  const { wrappedNative, usdReference } = network
  const traded = await selectTradedTokens(deps.database, network.chainId, now)
  const wrapped = traded.map((token) => wrapToken(token, wrappedNative))
  const tokens = [...new Set([wrappedNative, usdReference.address, ...wrapped])].slice(0, maxTokens)
  const { prices, unavailable, reason } = await deps.findPrices(tokens)
  if (reason !== undefined)
    deps.log({ message: 'prices not sampled', network: network.name, unanswered: unavailable, reason })
  await insertPriceSamples(deps.database, network, prices, now)
}
