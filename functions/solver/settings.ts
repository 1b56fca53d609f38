import { z } from 'zod'
import { addressSchema } from '#shared/validation/address.ts'
import { hashSchema } from '#shared/validation/hex.ts'
import { networkSchema } from '#shared/validation/network.ts'
import type { SettlementQueue } from './settling/SettlementQueue.ts'

const baseTokensSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'a JSON array of addresses' })
      return z.NEVER
    }
  })
  .pipe(z.array(addressSchema).max(8))

/**
 * What a solver Worker needs of its environment. Pools are those of `UNISWAP_V2_FACTORY`, routes pass through
 * `BASE_TOKENS`; both have a default for the network.
 */
export const settingsSchema = z
  .object({
    NETWORK: networkSchema,
    RPC_URL: z.url({ protocol: /^https?$/ }),
    SOLVER_NAME: z.string().min(1).max(64),
    SOLVER_STRATEGY: z.enum(['direct', 'multihop']),
    /** secp256k1 key of the account that sends the settlements, 32 bytes of hex: a secret */
    SOLVER_PRIVATE_KEY: hashSchema,
    UNISWAP_V2_FACTORY: addressSchema.optional(),
    BASE_TOKENS: baseTokensSchema.optional(),
    SETTLEMENTS: z.custom<DurableObjectNamespace<SettlementQueue>>((binding) => binding !== undefined, 'no binding'),
  })
  .transform(({ UNISWAP_V2_FACTORY, BASE_TOKENS, ...env }) => ({
    ...env,
    factory: UNISWAP_V2_FACTORY ?? env.NETWORK.uniswapV2Factory,
    baseTokens: BASE_TOKENS ?? [env.NETWORK.wrappedNative, env.NETWORK.usdReference.address],
  }))

export type Settings = z.infer<typeof settingsSchema>
