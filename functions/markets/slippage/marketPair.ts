import { z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import { nativeSentinel } from '#shared/networks.ts'

/** Both tokens of a market in lower case; the native token as its sentinel. */
export type MarketPair = { base: Address; quote: Address }

const pairPattern = /^(0x[0-9a-fA-F]{40}|-)-(0x[0-9a-fA-F]{40}|-)$/
const message = 'two addresses with - between them; - instead of an address is the native token'

const toToken = (text: string): Address => (text === '-' ? nativeSentinel : (text.toLowerCase() as Address))

const pairSchema = z
  .string()
  .regex(pairPattern, message)
  .transform((text): MarketPair => {
    const [, base = '', quote = ''] = pairPattern.exec(text) ?? []
    return { base: toToken(base), quote: toToken(quote) }
  })
  .openapi({
    param: { name: 'pair', in: 'path' },
    type: 'string',
    pattern: pairPattern.source,
    description: `\`{base}-{quote}\`: ${message}`,
    example: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14-0x1c7d4b196cb0c7b01d743fbc6116a902379c7238',
  })

/** Path parameters of a route about a market: its network and its two tokens. */
export const marketParamsSchema = z.object({ chainId: chainParamSchema, pair: pairSchema })
