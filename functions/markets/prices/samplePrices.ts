import type { Address } from 'viem'
import type { TokenPrice } from '#schema/queries/markets/priceSamples.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { FoundPrices } from './findPrices.ts'

export type SampleDeps = {
  /** what is traded, the most important first */
  selectTradedTokens: (now: number) => Promise<Address[]>
  findPrices: (tokens: readonly Address[]) => Promise<FoundPrices>
  insertPriceSamples: (prices: readonly TokenPrice[], now: number) => Promise<void>
  /** Unix milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
}

const maxTokens = 300

/**
 * Records what the traded tokens of a network are worth now: its native token and its US dollar reference always, then as
 * many as there is room for. A token whose price is not known gets no sample.
 */
export const samplePrices = async (deps: SampleDeps, network: Network): Promise<void> => {
  const now = Math.floor(deps.now() / 1_000)
  const { wrappedNative, usdReference } = network
  const traded = (await deps.selectTradedTokens(now)).map((token) => (token === nativeSentinel ? wrappedNative : token))
  const tokens = [...new Set([wrappedNative, usdReference.address, ...traded])].slice(0, maxTokens)
  const { prices, unanswered, reason } = await deps.findPrices(tokens)
  if (reason !== undefined) deps.log({ message: 'prices not sampled', network: network.name, unanswered, reason })
  await deps.insertPriceSamples(prices, now)
}
