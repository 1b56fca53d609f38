import type { IncomingMessage, RequestListener } from 'node:http'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { type Simulate, SimulationError, simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import type { Race } from '#shared/solvers/createSolverPace.ts'
import type { SolverQuote } from '#shared/solvers/requestQuote.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import { buildQuoteDeps } from '#test/helpers/solvers/quoteDeps.ts'
import { type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import {
  answering,
  isPriceRequest,
  quotingAt,
  type RunningSolver,
  startSolver,
} from '#test/helpers/solvers/startSolver.ts'
import { buildSwapQuote } from '#test/helpers/solvers/swapQuote.ts'
import { settlesAfter, settlesBefore } from '#test/helpers/stack/settles.ts'
import { type FindBestQuoteDeps, findBestQuote } from './findBestQuote.ts'
import { prepareRequest } from './request/prepareRequest.ts'
import { quoteRequestSchema } from './request/quoteRequest.ts'

const sellAmount = parseEther('1')

let market: SolverMarket
let offer: SolverQuote
const running: RunningSolver[] = []
beforeAll(async () => {
  market = await startSolverMarket()
  offer = await buildSwapQuote(market, {
    sellToken: market.tokens.WETH,
    buyToken: market.tokens.USDC,
    sellAmount,
  })
})
afterAll(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  await market?.stop()
})

/** A solver of the market that offers the pool's price, or `bonus` atoms more than it pays. */
const start = async (name: string, { bonus = 0n, gas = 166_391 }: { bonus?: bigint; gas?: number | undefined }) => {
  const { WETH, USDC } = market.tokens
  const reply = {
    clearingPrices: { [WETH]: String(offer.buyAmount + bonus), [USDC]: String(sellAmount) },
    interactions: offer.interactions.map((call) => ({ ...call, value: '0' })),
    solver: offer.solver.address,
    gas,
  }
  const listener: RequestListener = (request, response) =>
    isPriceRequest(request)
      ? quotingAt({ [WETH]: 10n ** 18n, [USDC]: 10n ** 30n / 3_000n })(request, response)
      : answering(reply)(request, response)
  const solver = await startSolver(name, listener, { address: offer.solver.address })
  running.push(solver)
  return solver.solver
}

const find = async (
  solvers: FindBestQuoteDeps['solvers'],
  fields: object = {},
  simulate?: Simulate,
  startRace?: FindBestQuoteDeps['startRace'],
) => {
  const startedAt = Date.now()
  const database = connectDatabase('postgres://u:p@127.0.0.1/none', 1_000, () => expect.fail('no statement is sent'))
  const quoteDeps = buildQuoteDeps(database, solvers, {
    network: market.network,
    // deadlines are whole times: none ends earlier for the milliseconds that preparations take
    now: () => startedAt,
    findGasPrice: async () => 10n ** 9n,
    simulate: simulate ?? simulateCalls(market.rpcUrl),
  })
  const deps = { ...quoteDeps, startRace }
  const request = quoteRequestSchema.parse({
    sellToken: market.tokens.WETH,
    buyToken: market.tokens.USDC,
    from: zeroAddress,
    kind: 'sell',
    sellAmountBeforeFee: sellAmount.toString(),
    ...fields,
  })
  return findBestQuote(deps, await prepareRequest(deps, request))
}

test('a confirmed offer ranks before a better refuted one, with its measured gas', async () => {
  const solvers = [await start('liar', { bonus: 10n ** 9n }), await start('honest', {})]
  const { estimate, gas } = await find(solvers)
  expect(estimate).toMatchObject({ solver: { name: 'honest' }, verification: { status: 'passed' } })
  expect(gas).toBe(estimate.verification.status === 'passed' && estimate.verification.gasUsed)
  expect(gas).not.toBe(166_391n)
})

test.each(['verified', 'optimal'])('never returns a refuted offer as a quote that is %s', async (priceQuality) => {
  const liar = await start('liar', { bonus: 10n ** 9n })
  await expect(find([liar], { priceQuality })).rejects.toMatchObject({
    errorType: 'NoLiquidity',
    data: {
      solvers: { liar: 'Refuted' },
      retryable: true,
      refuted: { liar: { reason: 'settlementReverts', block: expect.any(Number), detail: expect.any(String) } },
    },
  })
})

test('retries once when every offer is refuted, because pool prices may have changed', async () => {
  const [liar, honest] = [await start('liar', { bonus: 10n ** 9n }), await start('honest', {})]
  let offers = 0
  const moved: typeof liar = {
    ...honest,
    fetch: (request) => {
      if (isPriceRequest(request)) return honest.fetch(request)
      offers += 1
      return fetch(offers === 1 ? request.url.replace(honest.baseUrl, liar.baseUrl) : request.url)
    },
  }
  expect((await find([moved])).estimate.verification).toMatchObject({ status: 'passed' })
  expect(offers).toBe(2)
})

test('an offer that could not be simulated is a quote beside a refuted one', async () => {
  const node = simulateCalls(market.rpcUrl)
  // the node fails for the honest solver alone
  const simulate: Simulate = (calls, ...rest) => {
    const promised = (offer.buyAmount + 10n ** 9n).toString(16).padStart(64, '0')
    const isLiar = calls.some(({ data }) => data.includes(promised))
    const isLayoutProbe = calls.length > 50
    return isLiar || isLayoutProbe ? node(calls, ...rest) : Promise.reject(new SimulationError('nodeUnavailable'))
  }
  const solvers = [await start('liar', { bonus: 10n ** 9n }), await start('honest', {})]
  const { estimate } = await find(solvers, {}, simulate)
  expect(estimate).toMatchObject({
    solver: { name: 'honest' },
    verification: { status: 'skipped', reason: 'nodeUnavailable' },
  })
})

test('gas that the solver does not state is measured', async () => {
  const { estimate } = await find([await start('silent', { gas: undefined })])
  expect(estimate.gas).toBeGreaterThan(100_000n)
})

test('a fast quote is not inflated by one lying solver, beside another one or alone', async () => {
  const inflated = { bonus: offer.buyAmount / 2n }
  const [liar, honest] = [await start('liar', inflated), await start('honest', {})]
  for (const solvers of [
    [liar, honest],
    [honest, liar],
  ]) {
    const { estimate } = await find(solvers, { priceQuality: 'fast' })
    expect(estimate).toMatchObject({ solver: { name: 'honest' }, buyAmount: offer.buyAmount })
  }
  // one solver alone confirms no price: two do, of which one has no route
  const without: typeof honest = {
    ...honest,
    fetch: (request) =>
      isPriceRequest(request)
        ? fetch(request)
        : Promise.resolve(Response.json({ kind: 'QuotingFailed' }, { status: 400 })),
  }
  const { estimate } = await find([liar, without], { priceQuality: 'fast' })
  expect(estimate.buyAmount).toBeLessThan((offer.buyAmount * 130n) / 100n)
})

test('a fast quote is not verified', async () => {
  const { estimate } = await find([await start('honest', {})], { priceQuality: 'fast' })
  expect(estimate.verification).toEqual({ status: 'skipped', reason: 'fastQuote' })
})

test('a verification that takes too long is skipped when the time is over, to 50 ms', async () => {
  const never: Simulate = (_calls, _overrides, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new SimulationError('timeout'))))
  const solver = await start('honest', {})
  const { estimate } = await settlesAfter(490, settlesBefore(550, find([solver], { timeout: 500 }, never)))
  expect(estimate).toMatchObject({ gas: 166_391n, verification: { status: 'skipped', reason: 'timeout' } })
})

test('a single offer far below known prices is no quote while the other solvers do not respond', async () => {
  const poor = await start('poor', { bonus: (-19n * offer.buyAmount) / 20n })
  const honest = await start('honest', {})
  const isDown: typeof honest = {
    ...honest,
    name: 'down',
    fetch: (request) => (isPriceRequest(request) ? fetch(request) : Promise.reject(new Error('down'))),
  }
  await expect(find([poor, isDown], {}, blind)).rejects.toMatchObject({
    errorType: 'ServiceUnavailable',
    data: { solvers: { poor: 'Implausible', down: 'Unreachable' }, retryable: true },
  })
  expect((await find([poor, honest], {}, blind)).estimate.solver.name).toBe('honest')
})

test.each(['fast', 'optimal'])(
  'a bogus high offer wins no quote that is %s and not simulated',
  async (priceQuality) => {
    const solvers = await Promise.all([
      start('bogus', { bonus: 10n ** 20n }),
      start('honest', {}),
      start('other', { bonus: -1n }),
    ])
    const { estimate } = await find(solvers, { priceQuality }, blind)
    expect(['honest', 'other']).toContain(estimate.solver.name)
  },
)

test('requests no quote of a solver that the race gives up', async () => {
  const requested: (string | undefined)[] = []
  const silent = await startSolver('silent', ({ url }) => requested.push(url))
  running.push(silent)
  const race: Race = {
    call: (solver, request) =>
      solver === 'silent'
        ? Promise.reject(new SolverError('Timeout', 'others responded'))
        : request(new AbortController().signal),
  }
  const { estimate } = await find([silent.solver, await start('honest', {})], {}, blind, () => race)
  expect(estimate.solver.name).toBe('honest')
  expect(requested).toEqual([])
})

/** A node without simulations: the offers of these solvers have no calls. */
const blind: Simulate = () => Promise.reject(new SimulationError('nodeCannotSimulate'))

describe('a size that is too small', () => {
  test.each([1n, 10n ** 4n, 10n ** 8n, 10n ** 12n])(
    'names the smallest amount that would do instead of a missing route: %i atoms',
    async (amount) => {
      const solver = await startDusty()
      const failure = await find([solver], { sellAmountBeforeFee: amount.toString() }, blind).catch((error) => error)
      expect(failure).toMatchObject({
        errorType: 'SellAmountDoesNotCoverFee',
        data: { sellAmountBeforeFee: amount.toString(), feeAmount: expect.any(String) },
      })
      const enough = await find([solver], { sellAmountBeforeFee: failure.data.minSellAmount }, blind)
      expect(enough.ladder.afterSlippage.buyAmount).toBeGreaterThan(0n)
    },
  )

  test('names the smallest exact amount, which pays no fee itself', async () => {
    const solver = await startDusty()
    const exact = { sellAmountBeforeFee: undefined, sellAmountAfterFee: '1' }
    const failure = await find([solver], exact, blind).catch((error) => error)
    expect(failure).toMatchObject({ errorType: 'SellAmountDoesNotCoverFee', data: { sellAmountAfterFee: '1' } })
    await find([solver], { ...exact, sellAmountAfterFee: failure.data.minSellAmount }, blind)
  })

  test('is NoLiquidity for a pair without a route at any size', async () => {
    const solver = await startDusty((request) => !isPriceRequest(request))
    await expect(find([solver], { sellAmountBeforeFee: '1' }, blind)).rejects.toMatchObject({
      errorType: 'NoLiquidity',
    })
  })
})

/** A solver that finds no route for what buys less than an atom, as a pool does. */
const startDusty = async (refuses: (request: IncomingMessage) => boolean = () => false) => {
  const { WETH, USDC } = market.tokens
  const quote = quotingAt({ [WETH]: 10n ** 18n, [USDC]: 10n ** 30n / 3_000n }, { gas: 166_391 })
  const listener: RequestListener = (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://solver')
    const isDust = searchParams.get('kind') === 'sell' && BigInt(searchParams.get('amount') ?? 0) < 333_333_334n
    if (isDust || refuses(request))
      return answering({ kind: 'QuotingFailed', description: 'no route' }, 400)(request, response)
    quote(request, response)
  }
  const solver = await startSolver('dusty', listener, { address: offer.solver.address })
  running.push(solver)
  return solver.solver
}
