import { minOf } from '#shared/amounts/minMax.ts'
import { ignoreSimulationError, type Simulate } from '#shared/chain/calls/simulateCalls.ts'
import { type FundsNetwork, simulateFunds } from '#shared/hooks/simulateFunds.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { toOwnerTokenKey } from '../batches/toOwnerTokenKey.ts'
import { takeTurn } from '../takeTurn.ts'

/** maximum number of orders simulated per auction, in turn */
const maxSimulated = 20
const parallelSimulations = 4
/** time limit of all simulations together */
const timeoutMs = 1_500

/**
 * Finds the available funds of owners of partially fillable orders after their pre-hooks, sell token atoms by
 * `toOwnerTokenKey`: they bound the traded amount. Fill-or-kill orders need no bound. There is no entry when the node
 * does not respond, and for orders that do not have their turn.
 * @param turn see `takeTurn`
 */
export const findHookedFunds = async (
  simulate: Simulate,
  network: FundsNetwork,
  orders: readonly AuctionOrder[],
  turn = 0,
): Promise<Map<string, bigint>> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const funds = new Map<string, bigint>()
  const hooked = orders.filter((order) => order.partiallyFillable && order.preInteractions.length > 0)
  await mapBounded(takeTurn(hooked, turn, maxSimulated), parallelSimulations, async (order) => {
    const held = await simulateFunds(simulate, network, order, signal).catch(ignoreSimulationError)
    if (!held) return
    const payable = minOf(held.balance ?? 0n, held.allowance ?? 0n)
    const key = toOwnerTokenKey(order.owner, order.sellToken)
    if (payable >= (funds.get(key) ?? 0n)) funds.set(key, payable)
  })
  return funds
}
