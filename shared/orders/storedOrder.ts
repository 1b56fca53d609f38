import type { Address, Hex } from 'viem'
import type { PartnerFee } from '../appData/parseAppData.ts'
import type { OrderInteraction } from '../hooks/buildHookInteractions.ts'
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

/**
 * Fault of an order that was placed on-chain: it trades a token that is not traded, signs a fee, makes no order at
 * all, or a reorganisation of the chain undid its placement.
 */
export type PlacementError = 'preValidationError' | 'nonZeroFee' | 'other' | 'reorged'

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
  /** calls of its settlements, before and after the trade */
  preInteractions: OrderInteraction[]
  postInteractions: OrderInteraction[]
  /** `market`: the order matched the quote it was placed with; the API shows another class (`toOrderResponse`) */
  class: 'market' | 'limit' | 'liquidity'
  partnerFees: PartnerFee[]
  quoteId: number | null
  fullBalanceCheck: boolean
  createdAt: Date
  /** account that placed it on-chain through a contract; null: it came over the API */
  onchainUser: Address | null
  /** last valid second for that user when `validTo` never comes, Unix */
  userValidTo: number | null
  /** why an order placed on-chain never enters an auction */
  placementError: PlacementError | null
  /** its placement on-chain named a quote that is not stored */
  quoteNotFound: boolean
  /** sell token atoms that it could use at the last cut that looked, or at admission; null: not looked up */
  availableBalance: bigint | null
  /** transaction that paid its user back */
  refundTransactionHash: Hex | null
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
