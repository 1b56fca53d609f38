import type { Address, Hex } from 'viem'

/** State of an order at the time of an event. Amounts are atoms in decimal; built by the database. */
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
  /** placed on-chain by a contract for the account, which paid the wrapped sell token in the native token */
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
    /** signed fee */
    feeAmount: string
    /** network and protocol fees in the price, sell token atoms; undefined in older rows */
    executedFee?: string | undefined
    /** gain over the signed limit: buy token atoms of a sell order, sell token atoms of a buy order */
    surplus: string
    /** amount of this trade at the limit, in the same token */
    limitAmount: string
    /** amount of this trade at the order's quote, in the same token, after the network fee; null: no quote */
    quotedAmount: string | null
  }
  /** of order_cancelled; `replacedBy` is the UID of an order; `transactionHash` of an invalidation on-chain */
  cancellation?: { by: Address | null; replacedBy: Hex | null; transactionHash: Hex | null }
  /** of conditional_order_ended, whose order is its newest part; `reason` as in the event streams */
  conditional?: { hash: Hex; reason: 'completed' | 'expired' | 'cancelled' | 'failed' }
  /** of insufficient_balance: sell token atoms */
  funds?: { lacks: 'balance' | 'allowance'; needed: string; available: string }
}
