import { formatUnits } from 'viem'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import type { QuotedSwap, Token } from './swap.ts'

/** The part of the debug report in the timeline. */
export type TimelineReport = {
  order: {
    kind: 'sell' | 'buy'
    sellAmount: string
    buyAmount: string
    executedSellAmount: string
    executedBuyAmount: string
    executedFee: string
  }
  events: { label: string; timestamp: string; reason?: string }[]
  auctions: {
    id: number
    block: number
    deadline: number
    proposedSolutions: {
      solutionUid: number
      ranking: number
      solver: string
      isWinner: boolean
      score: string
      executedSell: string
      executedBuy: string
    }[]
    settlementAttempts: {
      solutionUid: number
      solver: string
      startBlock: number
      endBlock?: number
      outcome?: string
    }[]
  }[]
  trades: { blockNumber: number; sellAmount: string; buyAmount: string; txHash?: string }[]
}

/** Reads the debug report of an order. */
export const findDebugReport = async (stack: StackInfo, uid: string): Promise<TimelineReport> => {
  const response = await fetch(`${stack.baseUrl}/${stack.network}/api/v1/debug/order/${uid}`)
  if (!response.ok) throw new Error(`debug report of ${uid}: status ${response.status}`)
  return (await response.json()) as TimelineReport
}

/** Prints the life of an order, from creation to executed amounts. */
export const printTimeline = (
  stack: StackInfo,
  report: TimelineReport,
  tokens: { sell: Token & { symbol: string }; buy: Token & { symbol: string } },
  quoted: QuotedSwap,
): void => {
  const sold = (atoms: string | bigint) => `${formatUnits(BigInt(atoms), tokens.sell.decimals)} ${tokens.sell.symbol}`
  const bought = (atoms: string | bigint) => `${formatUnits(BigInt(atoms), tokens.buy.decimals)} ${tokens.buy.symbol}`
  const nameOf = (address: string) =>
    stack.solvers.find((solver) => solver.address.toLowerCase() === address)?.name ?? address
  const { order } = report
  const created = Date.parse(report.events[0]?.timestamp ?? '')

  for (const event of report.events) {
    const seconds = ((Date.parse(event.timestamp) - created) / 1000).toFixed(1)
    console.log(`  +${seconds.padStart(5)} s  ${event.label}${event.reason ? ` (${event.reason})` : ''}`)
  }
  for (const auction of report.auctions) {
    console.log(`  auction ${auction.id}, block ${auction.block}, to settle by block ${auction.deadline}`)
    for (const solution of auction.proposedSolutions) {
      const mark = solution.isWinner ? '  ← winner' : ''
      console.log(
        `    ${solution.ranking}. ${nameOf(solution.solver).padEnd(10)} ${sold(solution.executedSell)} → ` +
          `${bought(solution.executedBuy)}, score ${formatUnits(BigInt(solution.score), 18)} ETH${mark}`,
      )
    }
    for (const attempt of auction.settlementAttempts) {
      const end = attempt.outcome ? `${attempt.outcome} in block ${attempt.endBlock}` : 'running'
      console.log(`    settlement by ${nameOf(attempt.solver)}, from block ${attempt.startBlock}: ${end}`)
    }
  }
  for (const trade of report.trades) {
    console.log(`  trade in block ${trade.blockNumber}: ${sold(trade.sellAmount)} → ${bought(trade.buyAmount)}`)
    console.log(`    transaction ${trade.txHash}`)
  }
  const surplus =
    order.kind === 'sell'
      ? bought(BigInt(order.executedBuyAmount) - BigInt(order.buyAmount))
      : sold(BigInt(order.sellAmount) - BigInt(order.executedSellAmount))
  console.log(`  quoted    ${sold(quoted.sellAmount)} → ${bought(quoted.buyAmount)}`)
  console.log(`  limit     ${sold(order.sellAmount)} → ${bought(order.buyAmount)}`)
  console.log(`  executed  ${sold(order.executedSellAmount)} → ${bought(order.executedBuyAmount)}`)
  console.log(`  fee       ${sold(order.executedFee)}`)
  console.log(`  surplus   ${surplus} over the limit`)
}
