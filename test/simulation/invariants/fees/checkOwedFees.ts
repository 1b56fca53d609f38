import type { Address, Hex } from 'viem'
import { computeOwedFees, listFeeShares } from '../../oracle/computeOwedFees.ts'
import { listChainEvents } from '../../oracle/listChainEvents.ts'
import { readAuctionId } from '../../oracle/splitCalldata.ts'
import type { World } from '../../world.ts'
import { findUniformPrices } from '../checkFees.ts'
import { Violation } from '../violation.ts'

/** blocks compared after each block */
const windowBlocks = 3
/** fixed-point factors of the service may differ from the exact ones by so much, 1/10⁶ and atoms */
const [toleratedPpm, toleratedAtoms] = [2n, 2n]

const isNear = (a: bigint, b: bigint): boolean => {
  const difference = a > b ? a - b : b - a
  return difference <= toleratedAtoms + ((a > b ? a : b) * toleratedPpm) / 1_000_000n
}

/**
 * Recorded fees are those that the fee policies of the protocol and of the order's partner take of the promised amounts, and
 * the part of the order that the settlement of an honest solver retains pays them.
 * @param solvers honest ones
 */
export const checkOwedFees = async (
  { database, chain, orders, fees }: World,
  solvers: readonly Address[],
  cursor: number,
): Promise<void> => {
  const from = Math.max(0, cursor - windowBlocks)
  const rows = await database.read(
    `select e.order_uid, e.auction_id, e.executed_fee, e.protocol_fees, o.executed_sell, o.executed_buy
      from executions e join settlements s on s.auction_id = e.auction_id and s.block_number = e.block_number
      join solution_orders o on o.auction_id = e.auction_id and o.solution_uid = s.solution_uid and o.order_uid = e.order_uid
      where e.block_number >= $1`,
    [String(from)],
  )
  const trades = new Map(
    listChainEvents(chain.blocks.slice(from, cursor + 1)).flatMap((event) =>
      event.name === 'Trade' ? [[`${readAuctionId(event)} ${event.args.orderUid}`, event]] : [],
    ),
  )
  for (const row of rows) {
    const uid: Hex = `0x${row.order_uid?.slice(2)}`
    const [order, trade] = [orders.get(uid), trades.get(`${row.auction_id} ${uid}`)]
    if (!order || !trade) continue
    const recorded = (JSON.parse(row.protocol_fees ?? '[]') as { amount: string }[]).map(({ amount }) => BigInt(amount))
    const executed = { sold: BigInt(row.executed_sell ?? 0), bought: BigInt(row.executed_buy ?? 0) }
    const owed = computeOwedFees(listFeeShares(fees, order), order, executed)
    if (owed.length !== recorded.length || owed.some((fee, i) => !isNear(fee, recorded[i] ?? -1n)))
      throw new Violation('owed fees', `${recorded} recorded, ${owed} owed`, uid)
    if (!solvers.includes(trade.receipt.transaction.from)) continue
    const [sellPrice, buyPrice] = findUniformPrices(trade.receipt, trade.args)
    const total = owed.reduce((sum, fee) => sum + fee, 0n)
    const inSellToken = order.kind === 'sell' ? (total * buyPrice) / sellPrice : total
    const kept = BigInt(row.executed_fee ?? 0)
    if (kept < inSellToken && !isNear(kept, inSellToken))
      throw new Violation('owed fees', `the settlement keeps ${kept} sell atoms, ${inSellToken} are owed`, uid)
  }
}
