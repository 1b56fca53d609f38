import { z } from 'zod'
import { maxUint256 } from '../amounts/uint256.ts'
import { feePolicySchema } from '../fees/feePolicy.ts'
import {
  addressSchema,
  amountSchema,
  bytesSchema,
  hashSchema,
  orderUidSchema,
  uint32Schema,
} from '../validation/chainValues.ts'

/**
 * The driver API between the order book and its solvers: GET `quote`, POST `solve`, `reveal`, `settle`, `notify`.
 * Amounts and ids that exceed JavaScript's integers travel as decimal strings. Solvers report business errors with 400
 * `{ kind, description }`. Request schemas are parsed by solvers, response schemas by the order book.
 */
const idTextSchema = z.string().regex(/^\d{1,19}$/, 'a decimal string')
const orderKindSchema = z.enum(['sell', 'buy'])
const maxUint64 = 2n ** 64n - 1n

/** Nodes reject transactions with more calldata. */
export const maxCallDataBytes = 128 * 1024

/** An amount from a driver: decimal or hex text below 2²⁵⁶. */
export const driverAmountSchema = z
  .string({ error: 'an amount as decimal or 0x hex text' })
  .max(80, 'an amount below 2^256')
  .regex(/^(\d+|0x[0-9a-fA-F]+)$/, 'an amount as decimal or 0x hex text')
  .transform(BigInt)
  .refine((amount) => amount <= maxUint256, 'an amount below 2^256')

const interactionSchema = z.object({ target: addressSchema, value: amountSchema(), callData: bytesSchema(64 * 1024) })
/** A call proposed by a driver; the calldata of all calls together is limited to `maxCallDataBytes`. */
const driverInteractionSchema = z.object({
  target: addressSchema,
  value: driverAmountSchema,
  callData: bytesSchema(maxCallDataBytes),
})
const driverInteractionsSchema = z.array(driverInteractionSchema).max(1_000)

const isSolutionId = (id: unknown): boolean => {
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0
  if (typeof id === 'bigint') return id >= 0n && id <= maxUint64
  return typeof id === 'string' && /^\d{1,20}$/.test(id) && BigInt(id) <= maxUint64
}

/**
 * A solver's own id of a solution, unsigned 64 bits, as a JSON number or as text. `parseDriverJson` reads numbers from
 * 2⁵³ as bigint, and `toDriverJson` writes each form unchanged.
 */
export const solutionIdSchema = z.custom<number | bigint | string>(isSolutionId, {
  error: 'an integer below 2^64, as a number or as decimal text',
})
export type SolutionId = z.infer<typeof solutionIdSchema>

/**
 * Text of a driver, cut to `maxLength`. It may repeat the revert reason of a contract, which is of any length and may
 * have characters that Postgres text cannot contain.
 */
export const driverTextSchema = (maxLength: number) =>
  z.string().transform((text) => text.slice(0, maxLength).replaceAll('\0', '').toWellFormed())

export const driverErrorSchema = z.object({
  kind: driverTextSchema(64),
  description: driverTextSchema(2_000).default(''),
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

/** largest part of a quote that a solver may leave to the pools, millionths */
export const maxTolerancePpm = 500_000

const quoteFields = {
  preInteractions: driverInteractionsSchema.default([]),
  interactions: driverInteractionsSchema.default([]),
  solver: addressSchema,
  /** gas units of the whole settlement; 0 and null: not stated */
  gas: z
    .number()
    .int()
    .nonnegative()
    .nullish()
    .transform((gas) => gas || undefined),
  /** millionths of the amount that is not exact which a settlement in an unchanged market leaves to the pools */
  tolerancePpm: z
    .number()
    .int()
    .min(0)
    .max(maxTolerancePpm)
    .nullish()
    .transform((ppm) => ppm ?? 0),
}

/**
 * Response of GET `quote`. The amount that is not exact follows from `clearingPrices`: sell: out = ⌈amount ·
 * price(sell) / price(buy)⌉, buy: in = ⌊amount · price(buy) / price(sell)⌋.
 */
const clearingQuoteSchema = z.object({ ...quoteFields, clearingPrices: z.record(addressSchema, driverAmountSchema) })
export type DriverQuote = z.infer<typeof clearingQuoteSchema>

/** Response of older drivers: `amount` is the amount that is not exact. */
const amountQuoteSchema = z.object({ ...quoteFields, amount: driverAmountSchema })

export const driverQuoteSchema = z.union([clearingQuoteSchema, amountQuoteSchema])

/** One order of an auction. `executed` counts sell atoms for a sell order, buy atoms for a buy order. */
export const auctionOrderSchema = z.object({
  uid: orderUidSchema,
  sellToken: addressSchema,
  buyToken: addressSchema,
  sellAmount: amountSchema(),
  buyAmount: amountSchema(),
  /** signed fee of the whole order, sell token atoms on top of `sellAmount`: pays the network; 0 for most orders */
  feeAmount: amountSchema().default(0n),
  /** policies that the solver charges, in this order, on top of its own network fee */
  protocolFees: z.array(feePolicySchema),
  created: uint32Schema,
  validTo: uint32Schema,
  /** last valid second for the user who placed the order through a contract, whose `validTo` never ends */
  userValidTo: uint32Schema.optional(),
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
  /** quote of the order; without one `buyAmount` is 0 and `solver` the zero address */
  quote: z
    .object({ sellAmount: amountSchema(), buyAmount: amountSchema(), fee: amountSchema(), solver: addressSchema })
    .nullish(),
  /** loan that the order's settlement may take; only for drivers that support it */
  flashloanHint: z
    .object({
      liquidityProvider: addressSchema,
      protocolAdapter: addressSchema,
      receiver: addressSchema,
      token: addressSchema,
      amount: amountSchema(),
    })
    .optional(),
  /** contracts through which to call the settlement, outermost first; only for drivers that support it */
  wrappers: z
    .array(z.object({ address: addressSchema, data: bytesSchema(16 * 1024), isOmittable: z.boolean() }))
    .optional(),
  /**
   * the order's settlement failed before: until its next fill, a solution with it must not contain other orders of the
   * auction
   */
  settleAlone: z.boolean().optional(),
})
export type AuctionOrder = z.infer<typeof auctionOrderSchema>

/** `price` is wei per 10¹⁸ atoms; `deadline` is RFC 3339. */
const auctionFields = {
  id: idTextSchema,
  tokens: z.array(z.object({ address: addressSchema, price: amountSchema().nullable(), trusted: z.boolean() })),
  deadline: z.iso.datetime({ offset: true }),
  surplusCapturingJitOrderOwners: z.array(addressSchema).default([]),
}
/** Body of POST `solve` with all orders. */
export const solveRequestSchema = z.object({
  kind: z.literal('full').optional(),
  ...auctionFields,
  orders: z.array(auctionOrderSchema),
})
/** Only for drivers that take deltas; others refuse it, because it has no `orders`. */
const deltaRequestSchema = z.object({
  kind: z.literal('delta'),
  ...auctionFields,
  /** id of the auction that the driver responded to last */
  base: idTextSchema,
  /** complete orders that are new or changed since `base` */
  updatedOrders: z.array(auctionOrderSchema),
  /** orders that left since `base` */
  removedOrders: z.array(orderUidSchema),
})
/** Body of POST `solve` for a driver that takes deltas: all orders, or the changes since a `base`. */
export const solveChangesSchema = z.discriminatedUnion('kind', [solveRequestSchema, deltaRequestSchema])
export type SolveChanges = z.infer<typeof solveChangesSchema>
/** The auction as a solver sees it. */
export type SolveRequest = z.infer<typeof solveRequestSchema>
/** The serialised auction: the same with text for every amount. */
export type SolveRequestBody = z.input<typeof solveRequestSchema>

/**
 * Executed amounts of one order in a solution, net of all fees at the owner's wallet. `executedSell` includes the
 * signed fee; a partial fill pays its share of that fee, rounded down.
 */
export const solutionOrderSchema = z.object({
  side: orderKindSchema,
  sellToken: addressSchema,
  buyToken: addressSchema,
  limitSell: driverAmountSchema,
  limitBuy: driverAmountSchema,
  executedSell: driverAmountSchema,
  executedBuy: driverAmountSchema,
})
export type SolutionOrder = z.infer<typeof solutionOrderSchema>

export const proposedSolutionSchema = z.object({
  solutionId: solutionIdSchema,
  submissionAddress: addressSchema,
  /** ignored: the auction scores solutions */
  score: driverAmountSchema.optional(),
  orders: z.record(orderUidSchema, solutionOrderSchema),
})
export type ProposedSolution = z.infer<typeof proposedSolutionSchema>

/**
 * Maximum number of counted solutions per solver, large enough that solutions of hostile orders, which promise the
 * most, do not crowd out others.
 */
export const maxSolutions = 10

/** Solutions are parsed individually (`proposedSolutionSchema`), so that a malformed one does not affect the others. */
export const solveResponseSchema = z.object({ solutions: z.array(z.unknown()).max(1_000) })
export type SolveResponseBody = { solutions: z.input<typeof proposedSolutionSchema>[] }

export const revealRequestSchema = z.object({
  solutionId: z.number().int().nonnegative(),
  auctionId: idTextSchema,
})

/** The serialised form, with the solution id as its solver wrote it. */
export type RevealRequestBody = Omit<z.infer<typeof revealRequestSchema>, 'solutionId'> & { solutionId: SolutionId }

/** Calldata of `settle`; the solver will send `internalized`. */
export const revealResponseSchema = z.object({
  calldata: z.object({ internalized: bytesSchema(maxCallDataBytes), uninternalized: bytesSchema(maxCallDataBytes) }),
})
export type RevealResponseBody = z.infer<typeof revealResponseSchema>

/** Body of POST `settle`: the response is 200 once the transaction is mined, else 400 `{ kind, description }`. */
export const settleRequestSchema = z.object({
  solutionId: z.number().int().nonnegative(),
  submissionDeadlineLatestBlock: z.number().int().nonnegative(),
  auctionId: idTextSchema,
})
export type SettleRequest = z.infer<typeof settleRequestSchema>
/** The serialised form, with the solution id as its solver wrote it. */
export type SettleRequestBody = Omit<SettleRequest, 'solutionId'> & { solutionId: SolutionId }

/** Body of POST `notify`: why a solution was rejected or lost, or why its solver is suspended. The response is ignored. */
export const notifyRequestSchema = z.object({
  auctionId: idTextSchema,
  /** null: all solutions of the solver in this auction */
  solutionId: solutionIdSchema.nullable(),
  kind: z.enum(['rejected', 'lost', 'suspended']),
  reason: z.string().max(500),
})
export type NotifyRequest = z.infer<typeof notifyRequestSchema>
