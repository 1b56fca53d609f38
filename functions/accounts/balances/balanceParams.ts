import { z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'

/** Tokens of one request, and of one stream. */
export const maxTokens = 200
/** Room for 200 addresses with surrounding blanks and percent-encoded commas. */
const maxTextLength = 16_000

/** Path parameters of balance routes. */
export const balanceParamsSchema = z.object({
  chainId: chainParamSchema,
  user: addressSchema.openapi({ param: { name: 'user', in: 'path' } }),
})

/** The query: addresses, separated by commas; blanks are trimmed, empty entries dropped, duplicates collapse. */
export const tokensQuerySchema = z.object({
  tokens: z
    .string({ error: 'addresses, separated by commas' })
    .max(maxTextLength, `at most ${maxTokens} addresses, separated by commas`)
    .transform((text, context): Address[] => {
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      const parts = text.split(',').flatMap((part) => part.trim() || [])
      const parsed = parts.map((part) => addressSchema.safeParse(part))
      const malformed = parsed.findIndex(({ success }) => !success)
      if (malformed >= 0) return refuse(`Invalid Ethereum address: ${parts[malformed]?.slice(0, 60)}`)
      const tokens = [...new Set(parsed.flatMap(({ data }) => data ?? []))]
      if (tokens.length === 0) return refuse('At least one token address is required')
      if (tokens.length > maxTokens) return refuse(`at most ${maxTokens} tokens, got ${tokens.length}`)
      return tokens
    })
    .openapi({
      type: 'string',
      pattern: '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40})*$',
      description: `addresses, separated by commas: ${maxTokens} at most; 0xeeee… is the native token`,
      example: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14,0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
    }),
})
