import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestHarness, type TestHarness } from 'wrangler'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { driverQuoteSchema, proposedSolutionSchema, solveResponseSchema } from '#shared/solvers/driverApi.ts'
import { buildAuction, type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'

let market: SolverMarket
let harness: TestHarness

beforeAll(async () => {
  market = await startSolverMarket()
  harness = createTestHarness({
    workers: [
      {
        configPath: new URL('wrangler.toml', import.meta.url),
        vars: {
          NETWORK: 'sepolia',
          RPC_URL: market.rpcUrl,
          SOLVER_NAME: 'direct',
          SOLVER_STRATEGY: 'direct',
          SOLVER_PRIVATE_KEY: devAccounts[8].privateKey,
        },
      },
    ],
  })
  await harness.listen()
})

afterAll(async () => {
  await harness?.close()
  await market?.stop()
})

const toText = (value: unknown) =>
  JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? String(field) : field))

const post = async (path: string, body: unknown) => {
  const headers = { 'Content-Type': 'application/json' }
  const response = await harness.fetch(path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : toText(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const solve = async (auctionId: string, orders: AuctionOrder[]) => {
  const { body } = await post('/solve', buildAuction(market, auctionId, orders))
  return solveResponseSchema.parse(body).solutions.map((solution) => proposedSolutionSchema.parse(solution))
}

const countSent = () => market.chain.getTransactionCount({ address: market.solver.address })

describe('the Worker', () => {
  test('returns its name and is ready', async () => {
    expect(await (await harness.fetch('/')).text()).toBe('direct')
    expect((await harness.fetch('/readyz')).status).toBe(200)
  })

  test('reads an auction of 32 MiB and refuses a larger one', async () => {
    const bytes = 32 * 1024 * 1024
    expect(await post('/solve', ' '.repeat(bytes))).toMatchObject({ status: 400 })
    expect(await post('/solve', ' '.repeat(bytes + 1))).toMatchObject({
      status: 413,
      body: { errorType: 'PayloadTooLarge', data: { maxBytes: bytes } },
    })
  })

  test('quotes', async () => {
    const { WETH, USDC } = market.tokens
    const deadline = '2100-01-01T00:00:00Z'
    const query = new URLSearchParams({
      sellToken: WETH,
      buyToken: USDC,
      kind: 'sell',
      amount: '1000000000000000000',
      deadline,
    })
    const response = await harness.fetch(`/quote?${query}`)
    expect(response.status).toBe(200)
    expect(driverQuoteSchema.parse(await response.json())).toMatchObject({
      clearingPrices: { [USDC]: 10n ** 18n },
      solver: market.solver.address.toLowerCase(),
      gas: 178_391,
    })
    query.set('deadline', '2001-01-01T00:00:00Z')
    const late = await harness.fetch(`/quote?${query}`)
    expect([late.status, await late.json()]).toMatchObject([400, { kind: 'DeadlineExceeded' }])
    query.set('buyToken', WETH)
    query.set('deadline', deadline)
    expect(await (await harness.fetch(`/quote?${query}`)).json()).toMatchObject({ kind: 'QuoteSameTokens' })
  })

  test('settles a proposed solution once, also after an eviction and for repeated requests', async () => {
    const order = await market.signOrder()
    const [solution] = await solve('7', [order])
    if (!solution) throw new Error('no solution')
    const { executedBuy } = Object.values(solution.orders)[0] ?? {}
    const reveal = await post('/reveal', { auctionId: '7', solutionId: solution.solutionId })
    expect(reveal.body.calldata.internalized).toMatch(/^0x13d79a0b.*0000000000000007$/)
    await harness.getWorker().evictDurableObject('SettlementQueue', { name: market.solver.address.toLowerCase() })

    const [sent, balance] = [await countSent(), await market.balanceOf(market.tokens.USDC, market.trader)]
    const submissionDeadlineLatestBlock = Number(await market.chain.getBlockNumber()) + 10
    const request = { auctionId: '7', solutionId: solution.solutionId, submissionDeadlineLatestBlock }
    const responses = await Promise.all([post('/settle', request), post('/settle', request)])
    expect([...responses, await post('/settle', request)].map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await countSent()).toBe(sent + 1)
    const received = (await market.balanceOf(market.tokens.USDC, market.trader)) - balance
    // the pools have not moved: of a tolerance of a thousandth, half remains until the settlement
    expect(Number(received) / Number(executedBuy)).toBeCloseTo(0.9995 / 0.999, 6)
  })

  test('settles several solutions of an auction in sequence', async () => {
    const { COW, WETH } = market.tokens
    const orders = [
      await market.signOrder(),
      await market.signOrder({ sellToken: COW, buyToken: WETH, sellAmount: 10n ** 21n }),
    ]
    const singles = (await solve('8', orders)).filter((solution) => Object.keys(solution.orders).length === 1)
    expect(singles).toHaveLength(2)
    const submissionDeadlineLatestBlock = Number(await market.chain.getBlockNumber()) + 10
    const responses = await Promise.all(
      singles.map(({ solutionId }) => post('/settle', { auctionId: '8', solutionId, submissionDeadlineLatestBlock })),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const [again] = singles
    expect(await solve('9', orders)).toEqual([])
    expect(await post('/reveal', { auctionId: '9', solutionId: again?.solutionId })).toMatchObject({
      status: 400,
      body: { kind: 'SolutionNotAvailable' },
    })
  })

  test('reports why a settlement cannot be sent', async () => {
    const [solution] = await solve('10', [await market.signOrder()])
    const submissionDeadlineLatestBlock = Number(await market.chain.getBlockNumber())
    const request = { auctionId: '10', solutionId: solution?.solutionId, submissionDeadlineLatestBlock }
    expect(await post('/settle', request)).toMatchObject({ status: 400, body: { kind: 'FailedToSubmit' } })
    expect(await post('/settle', { ...request, solutionId: 999 })).toMatchObject({
      status: 400,
      body: { kind: 'SolutionNotAvailable' },
    })
  })

  test('takes an auction of thousands of orders', async () => {
    const order = await market.signOrder({ buyAmount: 10n ** 12n })
    const orders = Array.from({ length: 5_000 }, () => order)
    const { status, body } = await post('/solve', buildAuction(market, '11', orders))
    expect([status, body]).toEqual([200, { solutions: [] }])
  })

  test('responds to an invalid body with 400 and a kind', async () => {
    for (const [path, body] of [
      ['/solve', '{'],
      ['/solve', {}],
      ['/solve', { ...buildAuction(market, '1', []), id: 'x' }],
      ['/settle', { auctionId: '1', solutionId: 1 }],
      ['/reveal', []],
    ] as const) {
      expect(await post(path, body)).toMatchObject({ status: 400, body: { kind: 'MalformedRequest' } })
    }
    const response = await harness.fetch('/quote?sellToken=0x1')
    expect([response.status, await response.json()]).toMatchObject([400, { kind: 'MalformedRequest' }])
    expect((await post('/nothing', {})).status).toBe(404)
  })
})
