import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type FindPauses, withoutPaused } from '#shared/pauses/pauses.ts'
import { type NativePriceDeps, requestNativePrice } from '#shared/solvers/requestNativePrice.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import type { Admit } from './createAdmission.ts'
import { buildQuoteFailure } from './estimates/buildQuoteFailure.ts'

const nativePriceSchema = z.object({ price: z.number().openapi({ description: 'wei per atom of the token' }) })

const getNativePriceRoute = createRoute({
  ...endpoint('getNativePrice'),
  tags: ['Quotes'],
  summary: 'Value of a token in the native token',
  description:
    'Wei per atom: the second-best price among the solvers. The price of the native and the wrapped native token is 1.',
  request: { params: z.object({ token: addressSchema }) },
  responses: {
    200: { description: 'the price', content: { 'application/json': { schema: nativePriceSchema } } },
    ...errorResponses(
      'CustomSolverError',
      'InsufficientLiquidity',
      'InvalidParameter',
      'NoLiquidity',
      'ServiceUnavailable',
      'TokenTemporarilySuspended',
      'TradingOutsideAllowedWindow',
    ),
  },
})

/**
 * `GET /{network}/api/v1/token/{token}/native_price`: value of one atom in wei. Without a price the response is the
 * error of a failed quote.
 */
export const getNativePrice = (deps: NativePriceDeps & { timeoutMs: number; admit: Admit; findPauses: FindPauses }) =>
  createApp().openapi(getNativePriceRoute, async (c) => {
    const { token } = c.req.valid('param')
    const until = deps.now() + deps.timeoutMs
    const solvers = withoutPaused(await deps.findPauses(), deps.solvers)
    const found = await deps.admit(c, deps.timeoutMs, (startRace) =>
      requestNativePrice({ ...deps, solvers, startRace }, token, until - deps.now()),
    )
    if (found.price === undefined) throw buildQuoteFailure(found.failures)
    c.header('Cache-Control', cachePolicies.nativePrice)
    return c.json({ price: found.price }, 200)
  })
