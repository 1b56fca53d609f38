import type { Address } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { answering, quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { settlesAfter, settlesBefore } from '#test/helpers/stack/settles.ts'
import { createAdmission } from './createAdmission.ts'
import { getNativePrice } from './getNativePrice.ts'

const { wrappedNative } = networks.sepolia
const usd: Address = '0x10000000000000000000000000000000000000aB'
const values = { [wrappedNative]: 10n ** 18n, [usd.toLowerCase()]: 5n * 10n ** 26n }

const running: RunningSolver[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()))
})
const start = async (listener: Parameters<typeof startSolver>[1]) => {
  const solver = await startSolver('direct', listener)
  running.push(solver)
  return solver
}

const get = async (solvers: Solver[], token: string, timeoutMs = 20_000) => {
  const deps = {
    ...{ solvers, network: networks.sepolia, now: Date.now, timeoutMs, admit: createAdmission(timeoutMs) },
    findPauses: async () => new Map(),
  }
  const response = await getNativePrice(deps).request(`/api/v1/token/${token}/native_price`)
  return { status: response.status, cache: response.headers.get('Cache-Control'), body: await response.json() }
}

describe('GET native_price', () => {
  test('is the price that a solver would pay for an atom, cached for ten seconds', async () => {
    const { solver } = await start(quotingAt(values))
    expect(await get([solver], usd)).toEqual({
      status: 200,
      cache: 'public, max-age=10, stale-while-revalidate=30',
      body: { price: 500_000_000 },
    })
  })

  test('native and wrapped native are worth one', async () => {
    expect((await get([], nativeSentinel)).body).toEqual({ price: 1 })
    expect((await get([], wrappedNative)).body).toEqual({ price: 1 })
  })

  test('is NoLiquidity without a route, and ServiceUnavailable without a response; neither is cached', async () => {
    const { solver, stop } = await start(quotingAt({}))
    expect(await get([solver], usd)).toMatchObject({
      status: 400,
      cache: 'no-store',
      body: { errorType: 'NoLiquidity', data: { solvers: { direct: 'QuotingFailed' }, retryable: false } },
    })
    await stop()
    expect(await get([solver], usd)).toMatchObject({
      status: 503,
      cache: 'no-store',
      body: { errorType: 'ServiceUnavailable', data: { retryable: true } },
    })
  })

  test.each(['TradingOutsideAllowedWindow', 'TokenTemporarilySuspended', 'InsufficientLiquidity', 'CustomSolverError'])(
    'responds with the reason %s of a solver, in its words',
    async (kind) => {
      const { solver } = await start(answering({ kind, description: 'closed until Monday' }, 400))
      expect(await get([solver], usd)).toEqual({
        status: 400,
        cache: 'no-store',
        body: {
          errorType: kind,
          description: 'closed until Monday',
          data: { solvers: { direct: kind }, retryable: false },
        },
      })
    },
  )

  test('waits for a solver that never responds until the timeout, no longer', async () => {
    const { solver } = await start(() => undefined)
    expect(await settlesAfter(150, settlesBefore(1_500, get([solver], usd, 400)))).toMatchObject({
      status: 503,
      body: { errorType: 'ServiceUnavailable', data: { solvers: { direct: 'Timeout' }, retryable: true } },
    })
  })

  test('rejects a malformed address', async () => {
    expect(await get([], '0x12')).toMatchObject({
      status: 400,
      body: { errorType: 'InvalidParameter', data: { field: 'token', got: '0x12' } },
    })
  })
})
