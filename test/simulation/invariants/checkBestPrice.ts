import type { Address, Hex } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import { network } from '../market.ts'
import type { World } from '../world.ts'
import { computeOrderScore } from './checkScores.ts'
import { Violation } from './violation.ts'

/** blocks whose settlements are compared after each block */
const windowBlocks = 3
/** each order's score is rounded down, wei */
const roundingPerOrder = 1n

type PromisedOrder = { uid: Hex; pair: string; sold: bigint; bought: bigint; score: bigint }
type Solution = {
  solver: Address
  /** whether the solver had settled a win when the auction was cut; without one it has one win at a time */
  isProven: boolean
  isWinner: boolean
  outcome: string | null
  orders: PromisedOrder[]
}

/**
 * Price alone ranks: the orders of a settlement receive at least what the best solution of an honest solver for the
 * same auction promised them, summed over a directed pair, which is the unit of fairness. Exceptions are a solver that
 * the auction names as limited (`leftOut`), and one with another win of the auction until its first settlement.
 *
 * A settlement that pays less than promised is accepted of solvers only whose calldata kept the promise when it was
 * revealed.
 * @param honest solvers
 */
export const checkBestPrice = async (
  { database, breaking }: World,
  honest: readonly Address[],
  cursor: number,
): Promise<void> => {
  const rows = await database.read(
    `select s.auction_id, s.uid, s.solver, a.outcome, a.auction_id is not null as is_winner, o.order_uid, o.side, o.sell_token, o.buy_token, o.limit_sell, o.limit_buy,
        o.executed_sell, o.executed_buy, o.protocol_fees, auctions.prices, auctions.left_out,
        exists (select from settlement_attempts p where p.solver = s.solver and p.outcome = 'success'
          and p.end_block <= auctions.block) as is_proven
      from solutions s join solution_orders o on o.auction_id = s.auction_id and o.solution_uid = s.uid
      join auctions on auctions.id = s.auction_id
      left join settlement_attempts a on a.auction_id = s.auction_id and a.solution_uid = s.uid
      where s.auction_id in (
        select auction_id from settlement_attempts where outcome in ('success', 'mismatch') and end_block >= $1)
      order by s.auction_id, s.uid`,
    [String(Math.max(0, cursor - windowBlocks))],
  )
  for (const [auction, entries] of Map.groupBy(rows, (row) => row.auction_id ?? '')) {
    const leftOut = JSON.parse(entries[0]?.left_out ?? '[]') as { solver: Address; kind: string }[]
    const solutions = [...Map.groupBy(entries, ({ uid }) => uid).values()].map(toSolution)
    const hasWin = (solver: Address) => solutions.some((other) => other.solver === solver && other.isWinner)
    const isLimited = ({ solver, isProven }: Solution) =>
      leftOut.some((entry) => entry.solver === solver && entry.kind !== 'rejected') || (!isProven && hasWin(solver))
    const settled = solutions.filter(({ outcome }) => outcome === 'success' || outcome === 'mismatch')
    const rivals = solutions.filter((solution) => honest.includes(solution.solver) && !isLimited(solution))
    for (const winner of settled) {
      if (winner.outcome === 'success') for (const rival of rivals) compare(auction, winner, rival)
      else if (!breaking.includes(winner.solver))
        throw new Violation(
          'best price',
          `${winner.solver} broke a promise that its calldata had not kept in auction ${auction}`,
        )
    }
  }
}

/** Rivals with other orders, other pairs or larger parts of the same orders are no measure. */
const compare = (auction: string, winner: Solution, rival: Solution): void => {
  const [first] = rival.orders
  const isComparable = rival.orders.every(({ uid, pair, sold, bought }) => {
    const own = winner.orders.find((order) => order.uid === uid)
    return own && pair === first?.pair && sold <= own.sold && bought <= own.bought
  })
  if (!first || !isComparable) return
  const received = winner.orders.filter(({ pair }) => pair === first.pair)
  const [own, promised] = [sumScores(received), sumScores(rival.orders)]
  if (own + roundingPerOrder * BigInt(received.length) < promised)
    throw new Violation(
      'best price',
      `auction ${auction} paid ${own} wei of surplus, ${rival.solver} promised ${promised}`,
      first.uid,
    )
}

const sumScores = (orders: readonly PromisedOrder[]): bigint => orders.reduce((sum, { score }) => sum + score, 0n)

const toSolution = (rows: Record<string, string | null>[]): Solution => {
  const [first] = rows
  return {
    solver: toAddress(first?.solver),
    isProven: isTrue(first?.is_proven),
    isWinner: isTrue(first?.is_winner),
    outcome: first?.outcome ?? null,
    orders: rows.map((row) => {
      const prices = JSON.parse(row.prices ?? '{}') as Record<string, string>
      const [sell, buy] = [toAddress(row.sell_token), toAddress(row.buy_token)]
      return {
        uid: `0x${row.order_uid?.slice(2)}`,
        pair: `${toTraded(sell)} ${toTraded(buy)}`,
        sold: BigInt(row.executed_sell ?? 0),
        bought: BigInt(row.executed_buy ?? 0),
        score: computeOrderScore(row, BigInt(prices[buy] ?? 0)),
      }
    }),
  }
}

const isTrue = (text: string | null | undefined): boolean => text === 't' || text === 'true'
const toAddress = (bytes: string | null | undefined): Address => `0x${bytes?.slice(2)}`
const toTraded = (token: Address): Address => (token === nativeSentinel ? network.wrappedNative : token)
