import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectNewestQuote } from '#schema/queries/quotes/quotes.ts'
import { selectTokenMetadata } from '#schema/queries/tokens/tokenMetadata.ts'
import { maxOf } from '#shared/amounts/minMax.ts'
import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import { computeNetworkFee } from '#shared/fees/computeNetworkFee.ts'
import { type Network, wrapToken } from '#shared/networks.ts'
import type { MarketPair } from './marketPair.ts'

export type TradeSizeDeps = {
  databaseOf: (chainId: number) => Database
  /** wei per gas unit */
  findGasPrice: (network: Network) => Promise<bigint>
}

/** Order amounts stated by the client, atoms. */
export type GivenAmounts = {
  /** amount that leaves the owner, network fee included */
  sellAmount?: bigint | undefined
  buyAmount?: bigint | undefined
  /** network fee of the client's quote, sell token atoms */
  feeAmount?: bigint | undefined
}

/** Both in sell token atoms; undefined: unknown. */
export type TradeSize = {
  /** amount to swap, after the fee */
  traded: bigint | undefined
  /** network fee */
  fee: bigint | undefined
}

/** gas units of a settlement with two swaps, assumed for a pair that was never quoted */
const typicalGas = 260_000n

/**
 * Size and network fee of an order. The fee is the given one, else the current cost of the gas in the pair's newest
 * quote, else the cost of a typical settlement at the token's last auction price.
 */
export const findTradeSize = async (
  deps: TradeSizeDeps,
  network: Network,
  { base, quote }: MarketPair,
  given: GivenAmounts,
): Promise<TradeSize> => {
  const { chainId, wrappedNative } = network
  const sellToken = wrapToken(base, wrappedNative)
  const isComplete = given.feeAmount !== undefined && given.sellAmount !== undefined
  const newest = isComplete
    ? undefined
    : await selectNewestQuote(deps.databaseOf(chainId), { chainId, sellToken, buyToken: quote })
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
  const price = newest?.sellTokenPrice ?? (await findNativePrice(deps, network.chainId, sellToken))
  if (!price) return undefined
  return computeNetworkFee(newest?.gasAmount ?? typicalGas, await deps.findGasPrice(network), price)
}

/** @returns wei per atom; undefined: no auction had a price for the token */
const findNativePrice = async (
  { databaseOf }: TradeSizeDeps,
  chainId: number,
  token: Address,
): Promise<number | undefined> => {
  const { nativePrice } = await selectTokenMetadata(databaseOf(chainId), chainId, token)
  return nativePrice === null ? undefined : Number(nativePrice) / Number(auctionPriceScale)
}
