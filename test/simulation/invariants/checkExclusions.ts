import type { Hex } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import { dustyBookOrders } from '../actors/createDustTrader.ts'
import { isLiveNativeOrder } from '../chain/contracts/ethFlowCode.ts'
import { isAuthorised } from '../chain/contracts/strategies/composableCowCode.ts'
import type { Block } from '../chain/createChain.ts'
import { honestTokens, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import { readOrderAllowance, readOrderFunds, readRest } from '../oracle/isFillable.ts'
import { isSigning, isSteadyWallet } from '../wallets.ts'
import type { PlacedOrder, World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks before its entry in the log whose state may be the reason of an exclusion */
const windowBlocks = 5
/** blocks of the minute for which an offer of solvers counts without a new one, with the block in which it began */
const offerBlocks = 60 / network.blockTimeSeconds + 1
/** the default of `OUT_OF_MARKET_BPS` */
const outOfMarketBps = 5_000n

/**
 * Each reason for leaving an honest order out of the auctions is one that the oracle agrees with.
 * @returns a check of the entries since the last one
 */
export const createExclusionCheck = (world: World) => {
  const { chain, database, orders, weather } = world
  let newest = '0'

  /** The newest blocks, and those that they replaced. */
  const listRecent = (blocks = windowBlocks): Block[] => {
    const kept = blocks + weather.lag
    return [...chain.blocks.slice(-kept), ...chain.replacedSince(chain.head().number - kept)]
  }
  /** Whether the owner lacked funds in one of them. */
  const lacksFunds = (order: PlacedOrder, readWord: (owner: PlacedOrder) => bigint): boolean =>
    listRecent().some((block) =>
      chain.readAt(block, () => readWord(order) < (order.partiallyFillable ? 1n : order.sellAmount)),
    )
  /** Whether what was left of the order, or its owner could pay of it, was worth no atom in one of them. */
  const wasDust = (order: PlacedOrder): boolean =>
    listRecent().some((block) =>
      chain.readAt(block, () => {
        const { sell, buy } = readRest(chain, order)
        const payable = minOf(readOrderFunds(chain, order), readOrderAllowance(chain, order))
        return sell === 0n || buy === 0n || (payable < sell && (buy * payable) / sell === 0n)
      }),
    )
  /** Whether the pools paid far less than the limit in one of them: a thin pool that an owner saw may be empty again. */
  const wasOutOfMarket = ({ sellToken, buyToken, sellAmount, buyAmount }: PlacedOrder): boolean =>
    listRecent(offerBlocks).some(
      (block) =>
        (10_000n + outOfMarketBps) * estimateOutput(chain, block, sellToken, buyToken, sellAmount) <
        10_000n * buyAmount,
    )
  /** Whether the registry did not have the conditional order of a part in one of the newest blocks. */
  const wasUnauthorised = ({ owner, conditional: hash }: PlacedOrder): boolean =>
    hash !== undefined && listRecent().some((block) => chain.readAt(block, () => !isAuthorised(chain, { owner, hash })))
  const isEnding = ({ validTo }: PlacedOrder): boolean => world.now() / 1_000 > validTo - 3 * network.blockTimeSeconds
  /** Whether the owner's contract did not sign the order in one of the newest blocks; calls run in the block after. */
  const wasUnsigned = (order: PlacedOrder): boolean => {
    const { uid, scheme, owner } = order
    if (scheme !== 'native' && scheme !== 'eip1271') return false
    const blocks = listRecent()
    if (order.conditional) return wasUnauthorised(order) || isEnding(order)
    return scheme === 'eip1271'
      ? blocks.some(({ number }) => !isSigning(owner, number) || !isSigning(owner, number + 1))
      : blocks.some((block) => chain.readAt(block, () => !isLiveNativeOrder(chain, uid, block.timestamp)))
  }
  const agrees = (order: PlacedOrder, reason: string): boolean => {
    const { sellToken, buyToken } = order
    if (order.isTrap) return true
    // a token that misbehaves may state any balance, and none
    if (![sellToken, buyToken].every((token) => honestTokens.some(({ address }) => address === token))) return true
    if (order.hook && !isSteadyWallet(order.hook.wallet)) return true
    if (reason === 'insufficient_balance') return lacksFunds(order, () => readOrderFunds(chain, order))
    if (reason === 'insufficient_allowance') return lacksFunds(order, () => readOrderAllowance(chain, order))
    if (reason === 'dust_order') return order.partiallyFillable && wasDust(order)
    if (reason === 'invalid_signature') return order.scheme === 'presign' || wasUnsigned(order)
    if (reason === 'fulfilled' || reason === 'in_flight') return true
    if (reason === 'not_yet_valid') return order.validFrom > world.now() / 1_000 - 2 * network.blockTimeSeconds
    // an order that the oracle calls fillable has a place (`fills`)
    if (reason === 'auction_full') return orders.size > dustyBookOrders
    if (reason === 'cancelled') return order.cancelledAt !== undefined || wasUnauthorised(order)
    if (reason === 'expired' || reason === 'expires_too_soon') return isEnding(order)
    const isDisturbed = chain.head().number <= weather.disturbedAt + 6
    // a solver that does not respond delays a price into the next auction
    if (reason === 'missing_native_price') return isDisturbed || world.hasBadSolvers
    if (reason === 'out_of_market') return wasOutOfMarket(order)
    return reason === 'settlement_failed'
  }

  return async (): Promise<void> => {
    const rows = await database.read(
      `select id, order_uid, label, reason, data from order_events where id > $1 and label in ('invalid', 'filtered') order by id`,
      [newest],
    )
    for (const row of rows) {
      newest = row.id ?? newest
      const uid = `0x${row.order_uid?.slice(2)}` as Hex
      const order = orders.get(uid)
      if (order && !agrees(order, row.reason ?? ''))
        throw new Violation('exclusions', `excluded as ${row.reason} ${row.data} at block ${chain.head().number}`, uid)
    }
  }
}
