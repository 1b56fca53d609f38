import { z } from '@hono/zod-openapi'
import { addressSchema } from '#shared/validation/chainValues.ts'
import type { AccountHolding } from './findAccountBalances.ts'

const amountSchema = z.string().regex(/^\d+$/).openapi({ description: 'atoms', example: '1000000' })

/** Balance of an account in one token. */
export const balanceSchema = z
  .object({
    token: z.object({
      address: addressSchema,
      decimals: z.number().int().min(0).max(255).optional(),
      symbol: z.string().optional(),
      name: z.string().optional(),
    }),
    balance: amountSchema,
    allowance: amountSchema.openapi({
      description: 'allowance for the vault relayer, atoms; 0 for the native token',
    }),
    error: z
      .string()
      .optional()
      .openapi({ description: 'the token contract returned no valid amount; the missing amounts are 0' }),
  })
  .openapi('TokenBalance')

export type BalanceResponse = z.output<typeof balanceSchema>

const faultTexts = {
  reverted: 'the token contract reverts, or another call of the batch uses up all gas',
  'not a token': 'no ERC-20 token at this address',
} as const

/** A missing amount is 0 on the wire, because clients expect a number; `error` marks it. */
export const toBalanceResponse = ({ token, balance = 0n, allowance = 0n, fault }: AccountHolding): BalanceResponse => ({
  token,
  balance: balance.toString(),
  allowance: allowance.toString(),
  ...(fault ? { error: faultTexts[fault] } : {}),
})
