import { type AccessList, type Address, type Hex, toFunctionSelector } from 'viem'
import { z } from 'zod'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { driverAmountSchema, driverTextSchema, maxCallDataBytes, solutionIdSchema } from '#shared/solvers/driverApi.ts'
import type { SolverError } from '#shared/solvers/requestSolver.ts'
import { addressSchema, bytesSchema, hashSchema, orderUidSchema, uint32Schema } from '#shared/validation/chainValues.ts'

/**
 * The interface of the public system's solver engines: POST `solve` and POST `notify`. Facts:
 * https://github.com/cowprotocol/services/blob/main/crates/solvers/openapi.yml
 */

const maxTrades = 100
const maxCalls = 200

/** An amount as text, or a number that JavaScript holds exactly. */
const amountSchema = z.preprocess(
  (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : value),
  driverAmountSchema,
)

/**
 * Functions by which the settlement contract would let others take its tokens after the settlement: ERC-20 with its usual
 * extensions and `approve` of any amount (MKR), ERC-1363, ERC-777, ERC-721, ERC-6909, Permit2, lending markets, Balancer's
 * Vault, and its own presignatures. An engine declares `allowances` instead, which end with the settlement.
 */
const approvals: readonly string[] = [
  'approve(address,uint256)',
  'approve(address)',
  'increaseAllowance(address,uint256)',
  'increaseApproval(address,uint256)',
  'approveAndCall(address,uint256)',
  'approveAndCall(address,uint256,bytes)',
  'authorizeOperator(address)',
  'setApprovalForAll(address,bool)',
  'approve(address,uint256,uint256)',
  'setOperator(address,bool)',
  'approve(address,address,uint160,uint48)',
  'approveDelegation(address,uint256)',
  'allow(address,bool)',
  'setRelayerApproval(address,address,bool)',
  'setPreSignature(bytes,bool)',
].map(toFunctionSelector)

const callSchema = z.object({
  target: addressSchema,
  value: amountSchema,
  callData: bytesSchema(maxCallDataBytes).refine((data) => !approvals.includes(data.slice(0, 10).toLowerCase()), {
    error: 'an approval is declared in allowances',
  }),
})
const assetSchema = z.object({ token: addressSchema, amount: amountSchema })

/** Names of signing schemes are camel case here (`ethSign`), and lower case in the order book. */
const schemeSchema = z
  .string()
  .max(16)
  .transform((name) => name.toLowerCase())
  .pipe(z.enum(['eip712', 'ethsign', 'presign', 'eip1271']))

const jitOrderSchema = z.object({
  sellToken: addressSchema,
  buyToken: addressSchema,
  receiver: addressSchema,
  sellAmount: amountSchema,
  buyAmount: amountSchema,
  partiallyFillable: z.boolean().default(false),
  validTo: uint32Schema,
  appData: hashSchema,
  kind: z.enum(['sell', 'buy']),
  sellTokenBalance: z.enum(['erc20', 'internal', 'external']).default('erc20'),
  buyTokenBalance: z.enum(['erc20', 'internal']).default('erc20'),
  signingScheme: schemeSchema,
  /** with `eip1271` and `presign` it begins with the owner's 20 bytes */
  signature: bytesSchema(16 * 1024),
})
export type EngineJitOrder = z.infer<typeof jitOrderSchema>

/** `executedAmount` is the exact side of the order without `fee`, which is sell token atoms. */
const tradeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fulfillment'),
    order: orderUidSchema,
    executedAmount: amountSchema,
    fee: amountSchema.nullish(),
  }),
  z.object({ kind: z.literal('jit'), order: jitOrderSchema, executedAmount: amountSchema }),
])
export type EngineTrade = z.infer<typeof tradeSchema>

const interactionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('liquidity'),
    id: z.union([z.string().max(64), z.number()]).transform(String),
    inputToken: addressSchema,
    outputToken: addressSchema,
    inputAmount: amountSchema,
    outputAmount: amountSchema,
  }),
  z.object({
    kind: z.literal('custom'),
    ...callSchema.shape,
    /** what the call may take from the settlement contract */
    allowances: z
      .array(z.object({ ...assetSchema.shape, spender: addressSchema }))
      .max(20)
      .default([]),
  }),
])
export type EngineInteraction = z.infer<typeof interactionSchema>

export const engineSolutionSchema = z.object({
  id: solutionIdSchema,
  /** any unit; only the ratio of two prices matters */
  prices: z.record(addressSchema, amountSchema),
  trades: z.array(tradeSchema).max(maxTrades),
  preInteractions: z.array(callSchema).max(maxCalls).default([]),
  interactions: z.array(interactionSchema).max(maxCalls).default([]),
  postInteractions: z.array(callSchema).max(maxCalls).default([]),
  /** gas units of the settlement */
  gas: z.number().int().nonnegative().nullish(),
  flashloans: z.record(z.string(), z.unknown()).nullish(),
  wrappers: z.array(z.unknown()).nullish(),
})
export type EngineSolution = z.infer<typeof engineSolutionSchema>

/** Errors of an engine come with status 200. */
const engineErrorSchema = z.object({
  error: z.object({ code: driverTextSchema(64), message: driverTextSchema(500).nullish() }),
})

/**
 * Solutions are parsed individually (`engineSolutionSchema`), so that a malformed one does not affect the others. They come
 * first: a mismatch is described as one of them.
 */
export const engineResponseSchema = z.union([
  z.object({ solutions: z.array(z.unknown()).max(1_000) }),
  engineErrorSchema,
])
export type EngineResponse = z.infer<typeof engineResponseSchema>

/** A call of an order, amounts as text. */
type CallBody = { target: Address; value: string; callData: Hex }

/** One order as an engine sees it. Limits are those before protocol fees, which edgebook charges. */
export type EngineOrderBody = {
  uid: Hex
  sellToken: Address
  /** the wrapped native token for orders that buy the native one */
  buyToken: Address
  /** what can be traded now, sell token atoms */
  sellAmount: string
  fullSellAmount: string
  buyAmount: string
  fullBuyAmount: string
  validTo: number
  kind: 'sell' | 'buy'
  receiver?: Address
  owner: Address
  partiallyFillable: boolean
  preInteractions: CallBody[]
  postInteractions: CallBody[]
  sellTokenSource: AuctionOrder['sellTokenBalance']
  buyTokenDestination: AuctionOrder['buyTokenBalance']
  class: AuctionOrder['class']
  appData: Hex
  signingScheme: AuctionOrder['signingScheme']
  signature: Hex
}

type LiquidityFields = { id: string; address: Address; router: Address; gasEstimate: string; fee: string }
export type EngineLiquidityBody =
  | (LiquidityFields & { kind: 'constantProduct'; tokens: Record<Address, { balance: string }> })
  | (LiquidityFields & {
      kind: 'concentratedLiquidity'
      tokens: [Address, Address]
      sqrtPrice: string
      liquidity: string
      tick: number
      /** initialised ticks → change of liquidity when crossed upwards */
      liquidityNet: Record<string, string>
    })

export type EngineTokenBody = {
  decimals: number | null
  symbol: null
  /** wei per 10¹⁸ atoms */
  referencePrice: string | null
  /** atoms that the settlement contract holds */
  availableBalance: string
  trusted: boolean
}

/** Body of POST `solve`. */
export type EngineAuctionBody = {
  /** null for a quote */
  id: string | null
  tokens: Record<Address, EngineTokenBody>
  orders: EngineOrderBody[]
  liquidity: EngineLiquidityBody[]
  /** wei per gas unit */
  effectiveGasPrice: string
  deadline: string
  surplusCapturingJitOrderOwners: Address[]
}

type TransactionBody = { from: Address; to: Address; input: Hex; value: string; accessList: AccessList }

/** The fate of a solution, in the public vocabulary. */
export type EngineNotice =
  | { kind: 'simulationFailed'; block: number; tx: TransactionBody; succeededOnce: boolean }
  | { kind: 'missingPrice'; tokenAddress: Address }
  | { kind: 'nonBufferableTokensUsed'; tokens: Address[] }
  | { kind: 'solverAccountInsufficientBalance'; required: string }
  | { kind: 'success' | 'revert'; transaction: Hex }
  | { kind: 'driverError' | 'deserializationError'; reason: string }
  | {
      kind:
        | 'timeout'
        | 'emptySolution'
        | 'duplicatedSolutionId'
        | 'invalidClearingPrices'
        | 'invalidExecutedAmount'
        | 'settlementStarted'
        | 'cancelled'
        | 'expired'
        | 'fail'
        | 'postprocessingTimedOut'
    }

/** Notification of an engine without a usable response. */
export const toFailureNotice = ({ kind, message }: SolverError): EngineNotice =>
  kind === 'Timeout' ? { kind: 'timeout' } : { kind: 'deserializationError', reason: message }

/** Why a solution of an engine is left out, and its notification. Its other solutions are not affected. */
export class EngineFault extends Error {
  override name = 'EngineFault'
  readonly notice: EngineNotice

  constructor(notice: EngineNotice, description = 'reason' in notice ? notice.reason : notice.kind) {
    super(description)
    this.notice = notice
  }
}
