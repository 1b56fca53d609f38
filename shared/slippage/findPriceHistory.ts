import type { Address } from 'viem'
import { type Network, wrapToken } from '../networks.ts'
import type { TokenMarket } from './computeSlippage.ts'
import { type PricePoint, sampleStepSeconds } from './computeVolatility.ts'

export type PriceHistoryDeps = {
  /** in the order of time */
  selectPriceSamples: (
    chainId: number,
    tokens: readonly Address[],
    since: number,
  ) => Promise<(PricePoint & { token: Address })[]>
  /** Unix milliseconds */
  now: () => number
}

/** Price histories of two tokens. */
export type PriceHistory = Record<'base' | 'quote', TokenMarket & { token: Address }>

const seriesSeconds = 86_400
/** An older sample says nothing about the price of now. */
const currentSeconds = 3 * sampleStepSeconds

/**
 * The series of the last day of both tokens; the newest sample, when it is not too old, is the price of now. The native token is
 * the wrapped one.
 */
export const findPriceHistory = async (
  deps: PriceHistoryDeps,
  network: Network,
  { base, quote }: { base: Address; quote: Address },
): Promise<PriceHistory> => {
  const now = deps.now() / 1_000
  const { wrappedNative } = network
  const [baseToken, quoteToken] = [wrapToken(base, wrappedNative), wrapToken(quote, wrappedNative)]
  const samples = await deps.selectPriceSamples(network.chainId, [baseToken, quoteToken], now - seriesSeconds)
  const toMarket = (token: Address) => {
    const series = samples.filter((sample) => sample.token === token)
    const newest = series.at(-1)
    return { token, series, price: newest && newest.time > now - currentSeconds ? newest.price : undefined }
  }
  return { base: toMarket(baseToken), quote: toMarket(quoteToken) }
}
