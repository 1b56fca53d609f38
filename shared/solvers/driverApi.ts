import { z } from 'zod'
import { feePolicySchema } from '../fees/feePolicy.ts'
import { addressSchema } from '../validation/address.ts'
import { amountSchema } from '../validation/amount.ts'
import { bytesSchema, hashSchema, orderUidSchema } from '../validation/hex.ts'
import { uint32Schema } from '../validation/uint32.ts'

/**
 * The driver API between the order book and its solvers: GET `quote`, POST `solve`, `reveal`, `settle`, `notify`.
 * Amounts and ids that exceed JavaScript's integers travel as decimal strings. A solver answers a business error
 * with 400 `{ kind, description }`. Request schemas are what a solver parses, response schemas what we accept of it.
 */
const idTextSchema = z.string().regex(/^\d{1,19}$/, 'a decimal string')
const orderKindSchema = z.enum(['sell', 'buy'])
const interactionSchema = z.object({ target: addressSchema, value: amountSchema(), callData: bytesSchema(64 * 1024) })

export const driverErrorSchema = z.object({
  kind: z.string().max(64),
  description: z.string().max(2_000).default(''),
})

/** Query of GET `quote`: `amount` is sold (`sell`) or bought (`buy`) exactly; `deadline` is RFC 3339. */
export const driverQuoteQuerySchema = z.object({
  sellToken: addressSchema,
  buyToken: addressSchema,
  amount: amountSchema(),
  kind: orderKindSchema,
  deadline: z.iso.datetime({ offset: true }),
})
export type DriverQuoteQuery = z.infer<typeof driverQuoteQuerySchema>

/**
 * Answer of GET `quote`. The amount that is not exact follows from `clearingPrices`:
 * sell: out = ⌈amount · price(sell) / price(buy)⌉, buy: in = ⌊amount · price(buy) / price(sell)⌋.
 */
export const driverQuoteSchema = z.object({
  clearingPrices: z.record(addressSchema, amountSchema()),
  preInteractions: z.array(interactionSchema).max(100).default([]),
  interactions: z.array(interactionSchema).max(100),
  solver: addressSchema,
  /** gas units of the whole settlement */
  gas: z.number().int().positive().optional(),
})
export type DriverQuote = z.infer<typeof driverQuoteSchema>

/** One order of an auction. `executed` counts sell atoms for a sell order, buy atoms for a buy order. */
export const auctionOrderSchema = z.object({
  uid: orderUidSchema,
  sellToken: addressSchema,
  buyToken: addressSchema,
  sellAmount: amountSchema(),
  buyAmount: amountSchema(),
  /** charged by the solver, in this order, on top of its own network fee */
  protocolFees: z.array(feePolicySchema),
  created: uint32Schema,
  validTo: uint32Schema,
  kind: orderKindSchema,
  receiver: addressSchema.nullable(),
  owner: addressSchema,
  partiallyFillable: z.boolean(),
  executed: amountSchema(),
  preInteractions: z.array(interactionSchema),
  postInteractions: z.array(interactionSchema),
  sellTokenBalance: z.enum(['erc20', 'internal', 'external']).default('erc20'),
  buyTokenBalance: z.enum(['erc20', 'internal']).default('erc20'),
  class: z.enum(['market', 'limit', 'liquidity']),
  appData: hashSchema,
  signingScheme: z.enum(['eip712', 'ethsign', 'presign', 'eip1271']),
  signature: bytesSchema(16 * 1024),
  /** what it was placed with; of an order without one `buyAmount` is 0 and `solver` the zero address */
  quote: z
    .object({ sellAmount: amountSchema(), buyAmount: amountSchema(), fee: amountSchema(), solver: addressSchema })
    .nullish(),
  /** its settlement has failed: a solution may have no other order of the auction beside it, until it was filled once */
  settleAlone: z.boolean().optional(),
})
export type AuctionOrder = z.infer<typeof auctionOrderSchema>

/** Body of POST `solve`. `price` is wei per 10¹⁸ atoms; `deadline` is RFC 3339. */
export const solveRequestSchema = z.object({
  id: idTextSchema,
  tokens: z.array(z.object({ address: addressSchema, price: amountSchema().nullable(), trusted: z.boolean() })),
  orders: z.array(auctionOrderSchema),
  deadline: z.iso.datetime({ offset: true }),
  surplusCapturingJitOrderOwners: z.array(addressSchema).default([]),
})
/** The auction as a solver sees it. */
export type SolveRequest = z.infer<typeof solveRequestSchema>
/** The auction as it is sent: the same with text for every amount. */
export type SolveRequestBody = z.input<typeof solveRequestSchema>

/** What one solution does for one order; executed amounts are net of all fees at the owner's wallet. */
export const solutionOrderSchema = z.object({
  side: orderKindSchema,
  sellToken: addressSchema,
  buyToken: addressSchema,
  limitSell: amountSchema(),
  limitBuy: amountSchema(),
  executedSell: amountSchema(),
  executedBuy: amountSchema(),
})
export type SolutionOrder = z.infer<typeof solutionOrderSchema>

export const proposedSolutionSchema = z.object({
  solutionId: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  submissionAddress: addressSchema,
  score: amountSchema(),
  orders: z.record(orderUidSchema, solutionOrderSchema),
})
export type ProposedSolution = z.infer<typeof proposedSolutionSchema>

export const solveResponseSchema = z.object({ solutions: z.array(proposedSolutionSchema).max(1_000) })
export type SolveResponseBody = z.input<typeof solveResponseSchema>

export const revealRequestSchema = z.object({
  solutionId: z.number().int().nonnegative(),
  auctionId: idTextSchema,
})

/** Calldata of `settle`, as it will be sent. */
export type RevealResponseBody = { calldata: { internalized: string; uninternalized: string } }

/** Body of POST `settle`: answered 200 after the transaction is mined, else 400 `{ kind, description }`. */
export const settleRequestSchema = z.object({
  solutionId: z.number().int().nonnegative(),
  submissionDeadlineLatestBlock: z.number().int().nonnegative(),
  auctionId: idTextSchema,
})
export type SettleRequest = z.infer<typeof settleRequestSchema>

/** Body of POST `notify`: why a solution did not take part, or why its solver is suspended. The response is ignored. */
export const notifyRequestSchema = z.object({
  auctionId: idTextSchema,
  /** null: all solutions of the solver in this auction */
  solutionId: z.number().int().nonnegative().nullable(),
  kind: z.enum(['rejected', 'suspended']),
  reason: z.string().max(500),
})
export type NotifyRequest = z.infer<typeof notifyRequestSchema>
