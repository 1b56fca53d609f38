import type { Address } from 'viem'
import { maxOf } from '#shared/amounts/minMax.ts'
import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { computeNetworkFee } from '#shared/fees/computeNetworkFee.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { MarketPair } from './marketPair.ts'

export type TradeSizeDeps = {
  /** what the newest quote of a pair was; undefined: never quoted */
  selectNewestQuote: (pair: {
    chainId: number
    sellToken: Address
    buyToken: Address
  }) => Promise<{ sellAmount: bigint; buyAmount: bigint; gasAmount: bigint; sellTokenPrice: number } | undefined>
  /** wei per atom; undefined: no auction had a price of the token */
  selectNativePrice: (chainId: number, token: Address) => Promise<number | undefined>
  /** wei per gas unit */
  findGasPrice: (network: Network) => Promise<bigint>
}

/** What a client says of its order, atoms. */
export type GivenAmounts = {
  /** all that leaves the owner, network fee included */
  sellAmount?: bigint | undefined
  buyAmount?: bigint | undefined
  /** network fee of the client's quote, sell token atoms */
  feeAmount?: bigint | undefined
}

/** Both in sell token atoms; undefined: unknown. */
export type TradeSize = {
  /** what is swapped once the fee is taken */
  traded: bigint | undefined
  /** network fee */
  fee: bigint | undefined
}

/** gas units of a settlement with two swaps, for a pair that was never quoted */
const typicalGas = 260_000n

/**
 * Size and network fee of an order: the given fee; else what the gas of the pair's newest quote costs now; else what a typical
 * settlement costs at the token's price in the last auction.
 */
export const findTradeSize = async (
  deps: TradeSizeDeps,
  network: Network,
  { base, quote }: MarketPair,
  given: GivenAmounts,
): Promise<TradeSize> => {
  const { chainId, wrappedNative } = network
  const sellToken = base === nativeSentinel ? wrappedNative : base
  const isComplete = given.feeAmount !== undefined && given.sellAmount !== undefined
  const newest = isComplete ? undefined : await deps.selectNewestQuote({ chainId, sellToken, buyToken: quote })
  const fee = given.feeAmount ?? (await findFee(deps, network, sellToken, newest))
  if (given.sellAmount !== undefined) return { traded: maxOf(given.sellAmount - (fee ?? 0n), 0n), fee }
  if (given.buyAmount === undefined || !newest) return { traded: undefined, fee }
  return { traded: mulDivCeil(given.buyAmount, newest.sellAmount, newest.buyAmount), fee }
}

const findFee = async (
  deps: TradeSizeDeps,
  network: Network,
  sellToken: Address,
  newest: { gasAmount: bigint; sellTokenPrice: number } | undefined,
): Promise<bigint | undefined> => {
  const price = newest?.sellTokenPrice ?? (await deps.selectNativePrice(network.chainId, sellToken))
  if (!price) return undefined
  return computeNetworkFee(newest?.gasAmount ?? typicalGas, await deps.findGasPrice(network), price)
}
