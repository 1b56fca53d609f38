import type { Address, Hex } from 'viem'
import { listChainEvents } from '../oracle/listChainEvents.ts'
import { readAuctionId } from '../oracle/splitCalldata.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks whose settlements are compared after each block */
const windowBlocks = 3

/**
 * A win that was settled as promised is a success, one that gives an order less is a mismatch, and honest solvers have
 * none. While a solver is suspended for a mismatch it wins nothing, and no honest one is ever suspended.
 * @param honest solvers
 */
export const checkOutcomes = async (
  { database, chain }: World,
  honest: readonly Address[],
  cursor: number,
): Promise<void> => {
  const from = Math.max(0, cursor - windowBlocks)
  const rows = await database.read(
    `select a.auction_id, a.solution_uid, a.outcome, a.solver, o.order_uid, o.side, o.executed_sell, o.executed_buy
      from settlement_attempts a join solution_orders o using (chain_id, auction_id, solution_uid)
      where a.outcome in ('success', 'mismatch') and a.end_block >= $1`,
    [String(from)],
  )
  const trades = new Map(
    listChainEvents(chain.blocks.slice(from, cursor + 1)).flatMap((event) =>
      event.name === 'Trade' ? [[toKey(readAuctionId(event), event.args.orderUid), event]] : [],
    ),
  )
  const kept = new Map<string, { outcome: string; isAsPromised: boolean; uid: Hex }>()
  for (const row of rows) {
    const uid: Hex = `0x${row.order_uid?.slice(2)}`
    const trade = trades.get(toKey(BigInt(row.auction_id ?? 0), uid))
    const [sold, bought] = [BigInt(row.executed_sell ?? 0), BigInt(row.executed_buy ?? 0)]
    const isAsPromised =
      trade !== undefined && (row.side === 'sell' ? trade.args.buyAmount >= bought : trade.args.sellAmount <= sold)
    const solver: Address = `0x${row.solver?.slice(2)}`
    if (!isAsPromised && honest.includes(solver))
      throw new Violation('outcomes', 'an honest solver broke its promise', uid)
    // a solver may win an auction with several solutions
    const key = `${row.auction_id} ${row.solution_uid} ${solver}`
    const known = kept.get(key)
    kept.set(key, { uid, outcome: row.outcome ?? '', isAsPromised: isAsPromised && (known?.isAsPromised ?? true) })
  }
  for (const [attempt, { outcome, isAsPromised, uid }] of kept)
    if (isAsPromised !== (outcome === 'success'))
      throw new Violation('outcomes', `attempt ${attempt} is a ${outcome}, its promise was kept: ${isAsPromised}`, uid)
  await checkSuspended(database, honest)
}

const toKey = (auction: bigint | undefined, uid: Hex): string => `${auction} ${uid}`

const checkSuspended = async (database: World['database'], honest: readonly Address[]): Promise<void> => {
  const suspended = await database.read('select solver, reason, failures, auction_id from solver_suspensions')
  const blameless = suspended.find(({ solver }) => honest.includes(`0x${solver?.slice(2)}`))
  if (blameless) throw new Violation('honest suspended', `the honest solver ${JSON.stringify(blameless)}`)
  const [early] = await database.read(
    `select a.auction_id, s.solver, s.until from solver_suspensions s
      join settlement_attempts a on a.chain_id = s.chain_id and a.solver = s.solver and a.auction_id > s.auction_id
      where s.reason = 'mismatch' and a.started_at > s."from" and a.started_at < s.until limit 1`,
  )
  if (early) throw new Violation('suspended', `${early.solver} won auction ${early.auction_id} before ${early.until}`)
}
