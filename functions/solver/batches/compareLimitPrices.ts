import { compareDescending } from '#shared/amounts/compareDescending.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** Compares limit prices: orders with more generous limits come first. */
export const compareLimitPrices = (a: AuctionOrder, b: AuctionOrder): number =>
  compareDescending(a.sellAmount * b.buyAmount, b.sellAmount * a.buyAmount)
