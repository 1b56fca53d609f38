import type { Address } from 'viem'
import type { RevertingHook } from '../../hooks/findRevertingHook.ts'
import type { StatusFacts } from '../computeOrderStatus.ts'
import type { StoredOrder } from '../storedOrder.ts'
import type { PriceReply } from './priceReply.ts'

/** The order itself; nothing is executed of one that is not placed. */
export type JudgedOrder = StatusFacts & {
  /** null: neither named nor recoverable from a signature */
  owner: Address | null
} & Pick<
    StoredOrder,
    | 'receiver'
    | 'onchainUser'
    | 'sellToken'
    | 'buyToken'
    | 'feeAmount'
    | 'partiallyFillable'
    | 'validFrom'
    | 'partnerFees'
    | 'placementError'
    | 'refundTransactionHash'
  >

/** Result of moving an amount of the sell token as a settlement does it. */
export type TrialTransfer = { amount: bigint; moved: boolean; received: bigint; revert: string | undefined }

/** Result of paying the buy token out as a settlement does it. */
export type TrialPayout = { paid: true } | { paid: false; revert: string | undefined }

/** Facts of an order on the chain, from one look-up. */
export type ChainFacts = {
  /** undefined: the node could only be called, one call after the other */
  block: number | undefined
  /** sell token atoms after the order's own calls; undefined where the token states none */
  funds: { balance: bigint | undefined; allowance: bigint | undefined }
  /** false: the node could not run the order's own calls, so the funds are those before them */
  hooksRan: boolean
  /** the first pre-hook that reverts; undefined: none, or not looked up */
  revertingHook: RevertingHook | undefined
  /** the pre-signature is set, or the owner contract accepts the signature */
  isSigned: boolean
  /** whether the owner of an `eip1271` order has code after the order's own calls; undefined: not looked up */
  hasContract: boolean | undefined
  /** of the exact side of the order, atoms; the maximum after an invalidation; undefined: not read */
  filledAmount: bigint | undefined
  /** amounts that were tried one after the other; undefined: none was tried */
  transfers: readonly TrialTransfer[] | undefined
  /** undefined: not tried, or the token takes no trial */
  payout: TrialPayout | undefined
}

/**
 * Facts on the chain that a check reads, or why the chain was not read. The caller states each of them, as undefined when it
 * did not look it up.
 */
export type OnChain<Fact extends keyof ChainFacts> = string | { [Name in Fact]: ChainFacts[Name] }

/** Requirements of new orders only; null: the order is placed. */
export type Admission = { fullBalanceCheck: boolean } | null

/** Settlements that failed because of the order since its last fill. */
export type FailureFacts = { failures: number; lastBlock: number; solvers?: readonly Address[] }

/** Sell and buy amounts of an order's rest if it were settled now, all fees included: atoms. */
export type ExecutablePrice = Extract<PriceReply, { networkFee: bigint }>

/** The price at which solvers settle an order's rest, the fault that quotes report, or why there is no quote. */
export type Executable = Exclude<PriceReply, { missing: string }>

/** Native prices of an order's tokens. */
export type NativePrices = {
  /** wei per 10¹⁸ atoms; null: solvers find no route to the native token; undefined: not looked up */
  sellPrice: bigint | null | undefined
  buyPrice: bigint | null | undefined
  auctionId?: number
}

export type PriceFacts = NativePrices & { executable?: Executable }
