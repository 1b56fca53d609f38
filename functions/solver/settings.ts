import type { Hex } from 'viem'
import { z } from 'zod'
import { binding } from '#shared/settings/binding.ts'
import { NETWORK, RPC_URL } from '#shared/settings/connectionSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import type { SettleRequest, SolutionId } from '#shared/solvers/driverApi.ts'
import { solverUrlSchema } from '#shared/solvers/solverList.ts'
import { addressSchema, hashSchema } from '#shared/validation/chainValues.ts'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'
import { endpointListSchema } from './sending/createSubmitter.ts'
import type { SettlementCall, SettlementOutcome } from './settling/submission.ts'

/** The namespace of the Durable Object `SettlementQueue`. */
type Queues = {
  getByName: (address: string) => {
    remember: (auctionId: string, settlements: SettlementCall[]) => Promise<number[]>
    reveal: (auctionId: string, solutionId: number) => Promise<Hex | null>
    settle: (request: SettleRequest) => Promise<SettlementOutcome | null>
    isSettling: () => Promise<boolean>
    findEngineId: (solutionId: number) => Promise<SolutionId | null>
    findFault: () => Promise<string | null>
  }
}

/** The environment of a solver Worker. */
export const settingsSchema = z
  .object({
    NETWORK,
    RPC_URL,
    SOLVER_NAME: setting(z.string().min(1).max(64), {
      description: 'name in `SOLVERS`',
      scope: 'deployment',
      required: true,
    }),
    SOLVER_STRATEGY: setting(z.enum(['direct', 'multihop']), {
      description: 'strategy in `SOLVERS`: routes through one pool, or through several',
      scope: 'deployment',
      required: true,
    }),
    SOLVER_ENGINE_URL: setting(solverUrlSchema, {
      description: 'solver engine in `SOLVERS`, which proposes the solutions instead of the strategy',
      scope: 'deployment',
      absent: 'the strategy proposes the solutions',
    }),
    SOLVER_PRIVATE_KEY: setting(hashSchema, {
      description:
        'secp256k1 key of the account that sends the settlements, 32 bytes of hex; from `SOLVER_PRIVATE_KEY_<NAME>` of the network',
      scope: 'deployment',
      required: true,
      secret: true,
    }),
    UNISWAP_V2_FACTORY: setting(addressSchema, {
      description: 'factory of the constant-product pools of the reference solver',
      scope: 'network',
      absent: "the network's Uniswap V2",
    }),
    BASE_TOKENS: setting(jsonTextSchema.pipe(z.array(addressSchema).max(8)), {
      description:
        'tokens that routes pass through and in which the reference solver retains its fees, at most 8; a JSON array',
      scope: 'network',
      absent: 'the wrapped native token and the dollar reference',
    }),
    SOLVER_TOLERANCE_PPM: setting(z.coerce.number().int().min(0).max(100_000), {
      description:
        'part of an amount by which the reference solver proposes less than its pools give, as far as the order has slack; half of it remains for price changes until the settlement is mined',
      scope: 'network',
      unit: 'millionths',
      default: '1000',
    }),
    SUBMISSION_URLS: setting(jsonTextSchema.pipe(endpointListSchema), {
      description:
        'JSON-RPC endpoints that receive the transactions of the reference solver at the same time, at most 4; a JSON array of URLs of a public mempool, or of `{"url":"https://…","kind":"…"}` with the kind `mempool`, `protected`, `private` or `bundle` (docs/solvers.md)',
      scope: 'network',
      absent: '`RPC_URL`',
      secret: true,
    }),
    SETTLEMENTS: binding<Queues>(),
  })
  .transform(({ UNISWAP_V2_FACTORY, BASE_TOKENS, SOLVER_TOLERANCE_PPM, ...env }) => ({
    ...env,
    tolerance: BigInt(SOLVER_TOLERANCE_PPM),
    factory: UNISWAP_V2_FACTORY ?? env.NETWORK.uniswapV2Factory,
    baseTokens: BASE_TOKENS ?? [env.NETWORK.wrappedNative, env.NETWORK.usdReference.address],
  }))

export type Settings = z.infer<typeof settingsSchema>
