import type { SolverCompetition } from '../order/competition/loadCompetition.ts'

/** Atoms of a token that traders paid and received in a settlement. */
export type TokenFlow = { token: string; paid: bigint; received: bigint }

/** Tokens that moved between traders and the settlement contract in a transaction, by the amounts of its solutions. */
export const computeTokenFlow = ({ solutions }: Pick<SolverCompetition, 'solutions'>, hash: string): TokenFlow[] => {
  const flows = new Map<string, TokenFlow>()
  const add = (token: string, change: Partial<TokenFlow>) => {
    const { paid, received } = flows.get(token) ?? { paid: 0n, received: 0n }
    flows.set(token, { token, paid: paid + (change.paid ?? 0n), received: received + (change.received ?? 0n) })
  }
  for (const { orders } of solutions.filter(({ txHash }) => txHash === hash))
    for (const { sellToken, buyToken, sellAmount, buyAmount } of orders) {
      add(sellToken, { paid: BigInt(sellAmount) })
      add(buyToken, { received: BigInt(buyAmount) })
    }
  return [...flows.values()]
}
