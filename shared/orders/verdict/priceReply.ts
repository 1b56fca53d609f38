import { z } from 'zod'
import { hookOutcomeSchema } from '../../hooks/hookOutcome.ts'
import { amountSchema } from '../../validation/chainValues.ts'

/** why the simulated settlement reverts */
const revertField = { revert: z.string().max(200).optional() }

/** Response of the quotes Worker to `POST /executable-price`, as the requesting Workers read it. */
export const priceReplySchema = z.union([
  z.object({
    /** sell and buy token atoms, all fees included; `networkFee` is part of `sellAmount` */
    sellAmount: amountSchema(),
    buyAmount: amountSchema(),
    networkFee: amountSchema(),
    /** the same in wei, which solvers charge at the price of the auction */
    networkCost: amountSchema().optional(),
    /** what the order's hooks did in the simulation of this trade; absent without hooks, or without a simulation */
    hooks: z.array(hookOutcomeSchema).optional(),
  }),
  z.object({
    fault: z.enum(['NoLiquidity', 'UnsupportedToken', 'SellAmountDoesNotCoverFee', 'PayoutFails', 'SettlementReverts']),
    /** sell token atoms */
    minSellAmount: amountSchema().optional(),
    ...revertField,
  }),
  /** the token that has no price in the native token */
  z.object({ missing: z.enum(['sellToken', 'buyToken']) }),
  z.object({ unknown: z.string().max(64), ...revertField }),
])

export type PriceReply = z.output<typeof priceReplySchema>
export type PriceReplyBody = z.input<typeof priceReplySchema>
