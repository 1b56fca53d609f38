import { type Address, erc20Abi } from 'viem'
import type { Arena } from './arena.ts'
import type { HonestOrder } from './honestTrader.ts'

export type FilledOrder = {
  uid: string
  status: string
  /** blocks from acceptance to the last fill: the next block is 1 */
  blocks: number
  executed: { sell: bigint; buy: bigint }
  trades: number
}

type OrderResponse = { status: string; executedSellAmount: string; executedBuyAmount: string }
type TradeResponse = { blockNumber: number }

/** Outcome of an order of the honest trader by the API. */
export const findFilledOrder = async (arena: Arena, { uid, acceptedAt }: HonestOrder): Promise<FilledOrder> => {
  const order = (await arena.request('GET', `orders/${uid}`)).body as OrderResponse
  const trades = (await arena.request('GET', `trades?orderUid=${uid}`)).body as TradeResponse[]
  const filledAt = Math.max(...trades.map(({ blockNumber }) => blockNumber))
  return {
    uid,
    status: order.status,
    blocks: Number.isFinite(filledAt) ? Math.max(0, filledAt - acceptedAt) : Number.POSITIVE_INFINITY,
    executed: { sell: BigInt(order.executedSellAmount), buy: BigInt(order.executedBuyAmount) },
    trades: trades.length,
  }
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
