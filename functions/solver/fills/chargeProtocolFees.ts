import { maxUint256 } from '#shared/amounts/uint256.ts'
import { chargeFees } from '#shared/fees/chargeFees.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { type Executed, toExecutedOrder } from './executed.ts'
import { ignoreOverflow } from './ignoreOverflow.ts'

/**
 * Charges the protocol fees of an order.
 * @param gross executed amounts before protocol fees
 * @returns undefined when an amount is zero, or too large for the limit check of the settlement contract
 */
export const chargeProtocolFees = (order: AuctionOrder, gross: Executed): Executed | undefined => {
  if (gross.executedSell <= 0n || gross.executedBuy <= 0n || overflows(order, gross)) return undefined
  if (order.protocolFees.length === 0) return gross
  const net = ignoreOverflow(() => chargeFees(toExecutedOrder(order, gross), order.protocolFees))
  if (!net || net.executedBuy <= 0n || overflows(order, net)) return undefined
  return { executedSell: net.executedSell, executedBuy: net.executedBuy }
}

/** The contract's limit check multiplies these amounts, and reverts above 256 bits. */
const overflows = ({ sellAmount, buyAmount }: AuctionOrder, { executedSell, executedBuy }: Executed): boolean =>
  sellAmount * executedBuy > maxUint256 || buyAmount * executedSell > maxUint256
