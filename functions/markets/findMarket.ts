import type { Address } from 'viem'
import { type PriceSample, sampleStepSeconds } from '#schema/queries/priceSamples.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { TokenMarket } from './computeSlippage.ts'
import type { MarketPair } from './marketPair.ts'

export type MarketDeps = {
  selectPriceSamples: (chainId: number, tokens: readonly Address[], since: number) => Promise<PriceSample[]>
  /** rejects when the network is not served */
  checkServed: (network: Network) => void
  /** Unix milliseconds */
  now: () => number
}

/** What is known of the two tokens of a market. */
export type Market = { base: TokenMarket & { token: Address }; quote: TokenMarket & { token: Address } }

const seriesSeconds = 86_400
/** An older sample says nothing about the price of now. */
const currentSeconds = 3 * sampleStepSeconds

/**
 * The series of the last day of both tokens; the newest sample, when it is not too old, is the price of now. The native token is
 * the wrapped one.
 */
export const findMarket = async (deps: MarketDeps, network: Network, { base, quote }: MarketPair): Promise<Market> => {
  deps.checkServed(network)
  const now = deps.now() / 1_000
  const [baseToken, quoteToken] = [toSampledToken(network, base), toSampledToken(network, quote)]
  const samples = await deps.selectPriceSamples(network.chainId, [baseToken, quoteToken], now - seriesSeconds)
  const toMarket = (token: Address) => {
    const series = samples.filter((sample) => sample.token === token)
    const newest = series.at(-1)
    return { token, series, price: newest && newest.time > now - currentSeconds ? newest.price : undefined }
  }
  return { base: toMarket(baseToken), quote: toMarket(quoteToken) }
}

const toSampledToken = ({ wrappedNative }: Network, token: Address): Address =>
  token === nativeSentinel ? wrappedNative : token
