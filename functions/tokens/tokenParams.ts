import { z } from '@hono/zod-openapi'
import { chainParamSchema } from '#shared/networks/chainParam.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'

export const tokenSchema = z
  .union([z.literal('-').transform(() => nativeSentinel), addressSchema], {
    error: 'an address: 0x and 40 hex digits, or - for the native token',
  })
  .openapi({ param: { name: 'token', in: 'path' }, type: 'string', example: '-' })

/** Path parameters of a route about one token: its network, and its address in lower case. */
export const tokenParamsSchema = z.object({ chainId: chainParamSchema, token: tokenSchema })
