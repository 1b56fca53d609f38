import { z } from '@hono/zod-openapi'
import { addressSchema } from '#shared/validation/address.ts'
import type { Holding } from './findBalances.ts'

const amountSchema = z.string().regex(/^\d+$/).openapi({ description: 'atoms', example: '1000000' })

/** What an account has of one token. */
export const balanceSchema = z
  .object({
    token: z.object({
      address: addressSchema,
      decimals: z.number().int().min(0).max(255).optional(),
      symbol: z.string().optional(),
      name: z.string().optional(),
    }),
    balance: amountSchema,
    allowance: amountSchema.openapi({ description: 'what the vault relayer may move, atoms; 0 for the native token' }),
    error: z
      .string()
      .optional()
      .openapi({ description: 'the token gives no usable answer: amounts that it does not say are 0 here' }),
  })
  .openapi('TokenBalance')

export type BalanceResponse = z.output<typeof balanceSchema>

const faultTexts = {
  reverted: 'the token contract reverts, or one that is asked with it uses up all gas',
  'not a token': 'no ERC-20 token at this address',
} as const

/** An amount that a token does not say is 0 on the wire, because clients take it for a number; `error` tells the difference. */
export const toBalanceResponse = ({ token, balance = 0n, allowance = 0n, fault }: Holding): BalanceResponse => ({
  token,
  balance: balance.toString(),
  allowance: allowance.toString(),
  ...(fault ? { error: faultTexts[fault] } : {}),
})
