import { type Address, erc20Abi } from 'viem'
import type { Arena } from './arena.ts'
import type { HonestOrder } from './honestTrader.ts'

export type FilledOrder = {
  uid: string
  status: string
  /** blocks from acceptance to the last fill: the next block is 1 */
  blocks: number
  /** the same without blocks that a fault of a node or a reorganisation took */
  ownBlocks: number
  executed: { sell: bigint; buy: bigint }
  trades: number
  /** solvers with a failed attempt in an auction that they won with the order, by name */
  failedBy: string[]
}

type OrderResponse = { status: string; executedSellAmount: string; executedBuyAmount: string }
type TradeResponse = { blockNumber: number }
type Attempt = { solver: string; outcome?: string }
type DebugReport = {
  auctions: { id: number; proposedSolutions: { solver: string; isWinner: boolean }[]; settlementAttempts: Attempt[] }[]
  events: { label: string; reason?: string }[]
}

/** Outcome of an order of the honest trader by the API. */
export const findFilledOrder = async (arena: Arena, { uid, acceptedAt }: HonestOrder): Promise<FilledOrder> => {
  const order = (await arena.request('GET', `orders/${uid}`)).body as OrderResponse
  const trades = (await arena.request('GET', `trades?orderUid=${uid}`)).body as TradeResponse[]
  const filledAt = Math.max(...trades.map(({ blockNumber }) => blockNumber))
  const isOut = (block: number) => arena.outages.some(({ first, last }) => first <= block && block <= last)
  const span = Number.isFinite(filledAt) ? Math.max(0, filledAt - acceptedAt) : Number.POSITIVE_INFINITY
  const lost = Number.isFinite(span)
    ? Array.from({ length: span }, (_, i) => acceptedAt + 1 + i).filter(isOut).length
    : 0
  const report = (await arena.request('GET', `debug/order/${uid}`)).body as DebugReport
  return {
    uid,
    status: order.status,
    blocks: span,
    ownBlocks: span - lost,
    executed: { sell: BigInt(order.executedSellAmount), buy: BigInt(order.executedBuyAmount) },
    trades: trades.length,
    failedBy: report.auctions.flatMap((auction) =>
      findOwnAttempts(auction)
        .filter(({ outcome }) => outcome !== 'success')
        .map(({ solver }) => nameSolver(arena, solver)),
    ),
  }
}

/** Attempts of an auction by the solver that won it with the order; it may have won others as well. */
const findOwnAttempts = ({ proposedSolutions, settlementAttempts }: DebugReport['auctions'][number]): Attempt[] => {
  const winner = proposedSolutions.find(({ isWinner }) => isWinner)?.solver
  return settlementAttempts.filter(({ solver }) => solver === winner)
}

const nameSolver = ({ stack }: Arena, solver: string): string =>
  stack.info.solvers.find(({ address }) => address === solver.toLowerCase())?.name ?? solver

/** Reason why an order filled late, in one line: its events, its winners and their outcomes. */
export const describeLateOrder = async (arena: Arena, order: FilledOrder): Promise<string> => {
  const report = (await arena.request('GET', `debug/order/${order.uid}`)).body as DebugReport
  const attempts = report.auctions.flatMap((auction) =>
    findOwnAttempts(auction).map(({ solver, outcome }) => `${auction.id} ${nameSolver(arena, solver)} ${outcome}`),
  )
  const labels = report.events.map(({ label, reason }) => (reason ? `${label} (${reason})` : label))
  return `late: ${order.uid.slice(0, 10)} ${order.blocks} blocks, ${order.ownBlocks} counted; ${labels}; ${attempts.join(', ')}`
}

/** The least number that 95 % of the values do not exceed. */
export const computeP95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

export type RevertedGas = { transactions: number; reverted: number; gas: bigint; wei: bigint }

/** Gas of the solvers' reverted transactions since a block, from their receipts. */
export const findRevertedGas = async (
  { stack: { chain } }: Arena,
  solvers: readonly Address[],
  firstBlock: number,
): Promise<RevertedGas> => {
  const found = { transactions: 0, reverted: 0, gas: 0n, wei: 0n }
  const head = Number(await chain.getBlockNumber())
  for (let number = firstBlock; number <= head; number++) {
    const { transactions } = await chain.getBlock({ blockNumber: BigInt(number), includeTransactions: true })
    for (const { hash } of transactions.filter(({ from }) => solvers.includes(from.toLowerCase() as Address))) {
      const receipt = await chain.getTransactionReceipt({ hash })
      found.transactions += 1
      if (receipt.status === 'success') continue
      found.reverted += 1
      found.gas += receipt.gasUsed
      found.wei += receipt.gasUsed * receipt.effectiveGasPrice
    }
  }
  return found
}

/** Atoms that the honest trader holds of every token of the stack. */
export const findHonestBalances = async ({ stack, honest }: Arena): Promise<Map<Address, bigint>> => {
  const balances = new Map<Address, bigint>()
  for (const { address } of Object.values(stack.info.tokens)) {
    const call = { address, abi: erc20Abi, functionName: 'balanceOf', args: [honest.address] } as const
    balances.set(address, await stack.chain.readContract(call))
  }
  return balances
}
