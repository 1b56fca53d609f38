import type { Address } from 'viem'
import type { ParsedAppData } from '../../appData/parseAppData.ts'
import type { TokenFault } from '../../tokens/tokenFault.ts'
import type { StatusFacts } from '../computeOrderStatus.ts'
import type { StoredOrder } from '../storedOrder.ts'
import type { PriceReply } from './priceReply.ts'

/** The order itself; of one that is not placed nothing is executed. */
export type JudgedOrder = StatusFacts &
  Pick<
    StoredOrder,
    | 'owner'
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

/** What came of moving an amount of the sell token as a settlement does it. */
export type TrialTransfer = { amount: bigint; moved: boolean; received: bigint; revert: string | undefined }

/** What the chain says of an order; a fact that is absent was not looked up. */
export type ChainFacts = {
  block?: number
  /** sell token atoms after the order's own calls; undefined where the token states none */
  funds?: { balance: bigint | undefined; allowance: bigint | undefined }
  /** false: the node could not run the order's own calls, so the funds are those before them */
  hooksRan?: boolean
  /** the first pre-hook that reverts */
  revertingHook?: { hook: number; target: Address } | undefined
  /** the pre-signature is set, or the owner contract accepts the signature */
  isSigned?: boolean
  /** of the exact side of the order, atoms; the maximum after an invalidation */
  filledAmount?: bigint | undefined
  /** amounts that were tried one after the other */
  transfers?: readonly TrialTransfer[]
}

/** Failed settlements since the last fill. */
export type FailureFacts = { failures: number; lastBlock: number; ofAccount: boolean; solvers?: readonly Address[] }

/** What the sell and buy amounts of an order's rest would be if it were settled now, all fees included: atoms. */
export type ExecutablePrice = Extract<PriceReply, { networkFee: bigint }>

export type PriceFacts = {
  /** wei per 10¹⁸ atoms; null: solvers find no route to the native token; undefined: not looked up */
  sellPrice: bigint | null | undefined
  buyPrice: bigint | null | undefined
  auctionId?: number
  /** the fault that quotes report, or why there is no quote; undefined: not looked up */
  executable?: Exclude<PriceReply, { missing: string }>
}

/** All that a verdict depends on. */
export type VerdictFacts = {
  order: JudgedOrder
  /** what only a new order has to fulfil; undefined: it is placed */
  admission?: { fullBalanceCheck: boolean }
  /** Unix seconds */
  now: number
  /** minimum remaining validity to enter an auction */
  minValiditySeconds: number
  rules: {
    bannedUsers: ReadonlySet<Address>
    unsupportedTokens: ReadonlySet<Address>
    /** maximum gas of settling one order, gas units */
    maxGas: bigint
    /** an order further from the market stays out of auctions, 1/10000 of the market */
    outOfMarketBps: number
  }
  contracts: { settlementContract: Address; vaultRelayer: Address }
  /** what its document says; null: the document is not known */
  meaning: Pick<ParsedAppData, 'hooks' | 'flashloan' | 'wrappers'> | null
  inFlight: boolean
  failures: FailureFacts | null
  /** of the auction, or of the simulation */
  block?: number
  /** proof that one of the tokens cannot be settled */
  tokenFault?: TokenFault | undefined
  /** a string: why the chain said nothing */
  chain: ChainFacts | string
  prices: PriceFacts
}
