import type { Address } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import type { SolveRequest } from '#shared/solvers/driverApi.ts'
import type { RoutingDeps } from './findQuote.ts'

/** upper bound of plausible prices, below which no score overflows */
const maxPrice = 2n ** 128n

/** Plausible prices of an auction, wei per 10^18 atoms; the native token has that of the wrapped one. */
export const readPrices = ({ tokens }: SolveRequest, { network }: RoutingDeps): Map<Address, bigint> => {
  const prices = new Map<Address, bigint>()
  for (const { address, price } of tokens) {
    if (price !== null && price > 0n && price < maxPrice) prices.set(address, price)
  }
  const nativePrice = prices.get(nativeSentinel) ?? prices.get(network.wrappedNative)
  if (nativePrice !== undefined) prices.set(nativeSentinel, nativePrice)
  return prices
}
