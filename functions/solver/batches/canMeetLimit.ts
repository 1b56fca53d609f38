import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Rate } from '../routing/rate.ts'

/** Whether a rate meets an order's limit, ignoring fees. */
export const canMeetLimit = ({ sellAmount, buyAmount }: AuctionOrder, { amountIn, amountOut }: Rate): boolean =>
  amountOut * sellAmount >= amountIn * buyAmount
