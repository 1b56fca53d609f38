import type { Address, Hex } from 'viem'

/** What happened to an order, as it was when it happened. Amounts are atoms in decimal; the database builds it. */
export type NotificationFacts = {
  kind: 'sell' | 'buy'
  partiallyFillable: boolean
  sellToken: Address
  buyToken: Address
  /** signed amounts: one exact, the other its limit */
  sellAmount: string
  buyAmount: string
  /** last valid second, Unix */
  validTo: number
  /** a contract placed it on-chain for the account: what it sells wrapped was paid in the native token */
  placedOnchain: boolean
  /** all trades up to this moment, signed fees included */
  executedSellAmount: string
  executedBuyAmount: string
  /** of order_filled, order_partially_filled and price_improvement */
  trade?: {
    transactionHash: Hex
    blockNumber: number
    logIndex: number
    sellAmount: string
    buyAmount: string
    feeAmount: string
    /** gain over the signed limit: buy token atoms of a sell order, sell token atoms of a buy order */
    surplus: string
    /** what the limit gave for this trade, in the same token */
    limitAmount: string
    /** what the quote of the order gave for this trade, in the same token, network fee taken; null: it had none */
    quotedAmount: string | null
  }
  /** of order_cancelled; `replacedBy` is the UID of an order; `transactionHash` of an invalidation on-chain */
  cancellation?: { by: Address | null; replacedBy: Hex | null; transactionHash: Hex | null }
  /** of insufficient_balance: sell token atoms */
  funds?: { lacks: 'balance' | 'allowance'; needed: string; available: string }
}
