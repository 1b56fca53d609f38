import type { Address, Hex } from 'viem'
import type { Order } from '../signing/order.ts'
import type { SigningScheme } from '../signing/signingScheme.ts'

/** The quote an order was placed with. */
export type StoredOrderQuote = {
  quoteId: number
  sellAmount: bigint
  buyAmount: bigint
  /** gas units */
  gasAmount: bigint
  /** wei per gas unit */
  gasPrice: bigint
  /** wei per sell token atom */
  sellTokenPrice: number
  /** sell token atoms */
  feeAmount: bigint
  solver: Address
  verified: boolean
  metadata: unknown
}

/** An order as the database holds it, with its document and quote when they are known. */
export type StoredOrder = Omit<Order, 'receiver'> & {
  uid: Hex
  owner: Address
  /** null: the owner receives */
  receiver: Address | null
  /** first second it may enter an auction, Unix; null: at once */
  validFrom: number | null
  signingScheme: SigningScheme
  signature: Hex
  settlementContract: Address
  class: 'market' | 'limit' | 'liquidity'
  quoteId: number | null
  fullBalanceCheck: boolean
  createdAt: Date
  cancelledAt: Date | null
  invalidated: boolean
  presigned: boolean
  executedSellAmount: bigint
  executedBuyAmount: bigint
  executedFeeAmount: bigint
  executedFee: bigint
  version: number
  fullAppData: string | null
  quote: StoredOrderQuote | null
}
