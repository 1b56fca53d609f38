import { createRoute, z } from '@hono/zod-openapi'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import { findNativePrice, type NativePriceDeps } from '#shared/solvers/findNativePrice.ts'
import { addressSchema } from '#shared/validation/address.ts'

const nativePriceSchema = z.object({ price: z.number().openapi({ description: 'wei per atom of the token' }) })

const getNativePriceRoute = createRoute({
  method: 'get',
  path: '/api/v1/token/{token}/native_price',
  tags: ['Quotes'],
  summary: 'Value of a token in the native token',
  description: 'Wei per atom: what the best solver would pay. The native and the wrapped native token are worth 1.',
  request: { params: z.object({ token: addressSchema }) },
  responses: {
    200: { description: 'the price', content: { 'application/json': { schema: nativePriceSchema } } },
    ...errorResponses('InvalidParameter', 'NoLiquidity'),
  },
})

/** `GET /{network}/api/v1/token/{token}/native_price`: value of one atom in wei of the native token. */
export const getNativePrice = (deps: NativePriceDeps & { timeoutMs: number }) =>
  createApp().openapi(getNativePriceRoute, async (c) => {
    const { token } = c.req.valid('param')
    const price = await findNativePrice(deps, token, deps.timeoutMs).catch(toNoLiquidity)
    if (price === undefined) throw new ApiError('NoLiquidity', { data: { token, retryable: false } })
    c.header('Cache-Control', 'public, max-age=10, stale-while-revalidate=30')
    return c.json({ price }, 200)
  })

const toNoLiquidity = (error: unknown): never => {
  if (!(error instanceof SolverError)) throw error
  throw new ApiError('NoLiquidity', {
    description: 'no solver answered; a retry may help',
    data: { retryable: true },
  })
}
