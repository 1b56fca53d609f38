import { z } from 'zod'
import { feeSettings, readFeeRules } from '#shared/fees/feeSettings.ts'
import { DATABASE_URL, NETWORK, RPC_URL } from '#shared/settings/connectionSettings.ts'
import {
  BANNED_USERS,
  MAX_GAS_PER_ORDER,
  MIN_VALIDITY_SECONDS,
  UNSUPPORTED_TOKENS,
} from '#shared/settings/orderRuleSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { readSlippageBounds, slippageSettings } from '#shared/slippage/slippageSettings.ts'
import { readSolvers } from '#shared/solvers/readSolvers.ts'
import { SOLVERS } from '#shared/solvers/solverSettings.ts'
import { addressListSchema } from '#shared/validation/settingFormats.ts'

/** The environment of the quotes Worker; the service bindings named in `SOLVERS` pass through unparsed. */
export const settingsSchema = z
  .looseObject({
    NETWORK,
    DATABASE_URL,
    RPC_URL,
    SOLVERS,
    BANNED_USERS,
    UNSUPPORTED_TOKENS,
    MIN_VALIDITY_SECONDS,
    MAX_GAS_PER_ORDER,
    LISTED_TOKENS: setting(addressListSchema, {
      description: 'first tokens of the token list, best first, separated by commas',
      scope: 'network',
      default: '',
    }),
    ...feeSettings,
    ...slippageSettings,
    QUOTE_TIMEOUT_MS: setting(z.coerce.number().int().positive().max(20_000), {
      description: 'time that solvers have for a quote, at most 20000',
      scope: 'network',
      unit: 'ms',
      default: '5000',
    }),
  })
  .transform((env, context) => ({
    ...env,
    feeRules: readFeeRules(env, context),
    slippageBounds: readSlippageBounds(env, context),
    solvers: readSolvers(env, context),
  }))
