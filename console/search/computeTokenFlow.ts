import { toPaidToken } from '../tokens/toPaidToken.ts'
import type { NetworkTrade } from './loadTransaction.ts'

/** Atoms of a token that traders paid and received in a settlement. */
export type TokenFlow = { token: string; paid: bigint; received: bigint }

type Contracts = Parameters<typeof toPaidToken>[0]
type Trade = Pick<NetworkTrade, 'orderUid' | 'sellToken' | 'buyToken' | 'sellAmount' | 'buyAmount'>

/** Tokens that moved between traders and the settlement contract, by the executed trades. */
export const computeTokenFlow = (contracts: Contracts, trades: readonly Trade[]): TokenFlow[] => {
  const flows = new Map<string, TokenFlow>()
  const add = (token: string, change: Partial<TokenFlow>) => {
    const { paid, received } = flows.get(token) ?? { paid: 0n, received: 0n }
    flows.set(token, { token, paid: paid + (change.paid ?? 0n), received: received + (change.received ?? 0n) })
  }
  for (const trade of trades) {
    add(toPaidToken(contracts, trade), { paid: BigInt(trade.sellAmount) })
    add(trade.buyToken, { received: BigInt(trade.buyAmount) })
  }
  return [...flows.values()]
}
