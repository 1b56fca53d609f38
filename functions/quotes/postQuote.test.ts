import type { RequestListener } from 'node:http'
import { type Address, hashTypedData, zeroAddress, zeroHash } from 'viem'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertAppData } from '#schema/queries/orders/appData.ts'
import { quotes } from '#schema/tables/quotes/quotes.ts'
import { ApiError } from '#shared/http/errors.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { noFees, volumeFee } from '#test/helpers/orders/feeRules.ts'
import { type Misbehaviour, startBadSolver } from '#test/helpers/solvers/badSolver.ts'
import { buildQuoteDeps } from '#test/helpers/solvers/quoteDeps.ts'
import { answering, quotingAt, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { settlesAfter, settlesBefore } from '#test/helpers/stack/settles.ts'
import { postQuote, type QuoteDeps } from './postQuote.ts'

const { wrappedNative } = networks.sepolia
const usd: Address = '0x1000000000000000000000000000000000000001'
const from: Address = '0x3000000000000000000000000000000000000003'
const now = 1_800_000_000_000
/** wei per 10¹⁸ atoms: one usd atom (6 decimals) is worth 5 · 10⁸ wei */
const values = { [wrappedNative]: 10n ** 18n, [usd]: 5n * 10n ** 26n }
const gasPrice = 2_000_000_000n

const stops: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

const start = async (name: string, listener: RequestListener, options?: Parameters<typeof startSolver>[2]) => {
  const running = await startSolver(name, listener, options)
  stops.push(running.stop)
  return running
}

const startBad = async (misbehaviour: Misbehaviour) => {
  const bad = await startBadSolver(misbehaviour)
  stops.push(bad.close)
  const address: Address = '0x5000000000000000000000000000000000000bad'
  return { name: misbehaviour, address, baseUrl: bad.url, timeoutMs: undefined, fetch: (r: Request) => fetch(r) }
}

const { database, close } = await startTestDatabase()
beforeEach(() => database.delete(quotes))
afterAll(close)

const depsOf = (solvers: QuoteDeps['solvers'], changes: Partial<QuoteDeps> = {}) =>
  buildQuoteDeps(database, solvers, changes)
const readStored = () => database.select().from(quotes).orderBy(quotes.id)

type QuoteBody = {
  id: number | null
  quote: Record<string, string>
  amounts: Record<string, Record<string, string>>
  signable: {
    order: { sellAmount: string; buyAmount: string; validTo: number }
    typedData: Parameters<typeof hashTypedData>[0]
    digest: string
    orderUid: string | null
  }
  errorType: string
  data: Record<string, unknown>
}

const request = async (deps: QuoteDeps, fields: object) => {
  const response = await postQuote(deps).request('/api/v1/quote', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sellToken: usd, buyToken: wrappedNative, from, ...fields }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as QuoteBody }
}

const budget = { kind: 'sell', sellAmountBeforeFee: '1000000000' }

describe('POST quote', () => {
  test('accepts unknown fields and names them in a header', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const { headers, status } = await request(depsOf([solver]), { ...budget, fastPaths: true })
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, 'fastPaths'])
  })

  test('signable has the document of its hash, and an unknown document is quoted unverified', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const document = '{"metadata":{"referrer":{"code":"FRIEND"}}}'
    const sent = await request(depsOf([solver]), { ...budget, appData: document })
    expect(sent.body.signable).toMatchObject({ fullAppData: document, order: { appData: sent.body.quote.appDataHash } })
    const { signable: none } = (await request(depsOf([solver]), budget)).body
    expect(none).toMatchObject({ fullAppData: '{}', order: { appData: zeroHash } })
    const unknown = await request(depsOf([solver]), { ...budget, appData: `0x${'bc'.repeat(32)}` })
    expect(unknown).toMatchObject({
      status: 200,
      body: {
        verified: false,
        verification: { status: 'skipped', reason: 'unknownAppData' },
        signable: { fullAppData: null },
      },
    })
  })

  test('applies the limits of placement', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const quote = async (fields: object, metadata: object = {}) => {
      const appData = JSON.stringify({ metadata })
      const { status, body } = await request(depsOf([solver]), { ...budget, appData, ...fields })
      return status === 200 ? status : [status, body.errorType]
    }
    const hook = { target: usd, callData: '0x', gasLimit: '9000000' }
    expect(await quote({}, { hooks: { post: [hook] } })).toEqual([400, 'TooMuchGas'])
    expect(await quote({ receiver: usd })).toEqual([400, 'InvalidParameter'])
    expect(await quote({}, { signer: usd })).toEqual([400, 'AppdataFromMismatch'])
    expect(await quote({ from: zeroAddress }, { signer: usd })).toBe(200)
    expect(await quote({ validFor: 600 }, { validFrom: now / 1_000 + 590 })).toEqual([400, 'InvalidValidFrom'])
    const { solver: wasteful } = await start('wasteful', quotingAt(values, { gas: 8_000_001 }))
    expect((await request(depsOf([wasteful]), budget)).body.errorType).toBe('TooMuchGas')
  })

  test('equal requests at the same time have one request to each solver, and an id each', async () => {
    const { solver, asked } = await start('direct', quotingAt(values, { gas: 100_000, afterMs: 50 }))
    const deps = depsOf([solver])
    const app = postQuote(deps)
    const send = async (fields: object = {}) => {
      const response = await app.request('/api/v1/quote', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ sellToken: usd, buyToken: wrappedNative, from, ...budget, ...fields }),
      })
      return (await response.json()) as QuoteBody
    }
    const countOffers = () => asked.filter(({ searchParams }) => searchParams.get('amount') === '1000000000').length
    const [first, second, other] = await Promise.all([send(), send(), send({ sellAmountBeforeFee: '2000000000' })])
    expect(countOffers()).toBe(1)
    expect(second?.quote).toEqual(first?.quote)
    expect(new Set([first?.id, second?.id, other?.id]).size).toBe(3)
    expect(other?.amounts.beforeAllFees?.sellAmount).toBe('2000000000')
    await send()
    expect(countOffers()).toBe(2)
  })

  test('a request that waits for its turn makes no equal request of another client wait', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const release = Promise.withResolvers<void>()
    const deps = depsOf([solver])
    const admit: QuoteDeps['admit'] = async (c, timeoutMs, work) => {
      if (c.req.header('x-test-client') === 'crowded') await release.promise
      return deps.admit(c, timeoutMs, work)
    }
    const app = postQuote({ ...deps, admit })
    const body = JSON.stringify({ sellToken: usd, buyToken: wrappedNative, from, ...budget })
    const send = (client: string) => {
      const headers = { 'Content-Type': 'application/json', 'x-test-client': client }
      return app.request('/api/v1/quote', { method: 'POST', headers, body })
    }
    const crowded = send('crowded')
    expect((await send('other')).status).toBe(200)
    release.resolve()
    expect((await crowded).status).toBe(200)
  })

  test('null in an optional field means that the field is absent', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const optional =
      'receiver validTo validFor appData appDataHash sellTokenBalance buyTokenBalance priceQuality signingScheme ' +
      'onchainOrder verificationGasLimit slippageBps partnerFeeBps timeout sellAmountAfterFee buyAmountAfterFee'
    const nulls = Object.fromEntries(optional.split(' ').map((name) => [name, null]))
    const { status, body, headers } = await request(depsOf([solver]), { ...budget, ...nulls })
    const plain = await request(depsOf([solver]), budget)
    expect(status).toBe(200)
    expect(headers.get('X-Ignored-Fields')).toBeNull()
    expect(body.quote).toEqual(plain.body.quote)
    const missing = await request(depsOf([solver]), { ...budget, sellToken: null })
    expect(missing.body).toMatchObject({ errorType: 'InvalidParameter', data: { field: 'sellToken' } })
  })

  test('sellBeforeFee: the fee is deducted, the rest buys in proportion, and the whole amount is stored', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    const { status, body } = await request(deps, { ...budget, validFor: 600 })
    // 100 000 gas · 2 gwei / 5·10⁸ wei per atom
    const fee = 400_000n
    expect(status).toBe(200)
    expect(body).toEqual({
      quote: {
        sellToken: usd,
        buyToken: wrappedNative,
        receiver: null,
        sellAmount: (1_000_000_000n - fee).toString(),
        buyAmount: ((1_000_000_000n - fee) * 500_000_000n).toString(),
        validTo: 1_800_000_600,
        appData: zeroHash,
        appDataHash: zeroHash,
        feeAmount: fee.toString(),
        gasAmount: '100000',
        gasPrice: '2000000000',
        sellTokenPrice: '500000000',
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
        signingScheme: 'eip712',
      },
      from,
      expiration: '2027-01-15T08:01:00.000Z',
      id: expect.any(Number),
      verified: false,
      verification: { status: 'skipped', reason: 'nodeCannotSimulate' },
      amounts: {
        beforeAllFees: { sellAmount: '1000000000', buyAmount: '500000000000000000' },
        afterNetworkFee: { sellAmount: '1000000000', buyAmount: ((1_000_000_000n - fee) * 500_000_000n).toString() },
        afterProtocolFee: { sellAmount: '1000000000', buyAmount: ((1_000_000_000n - fee) * 500_000_000n).toString() },
        afterPartnerFee: { sellAmount: '1000000000', buyAmount: ((1_000_000_000n - fee) * 500_000_000n).toString() },
        afterSlippage: { sellAmount: '1000000000', buyAmount: '497301000000000000' },
      },
      slippageBps: 50,
      signable: expect.objectContaining({ orderUid: expect.stringMatching(/^0x[0-9a-f]{112}$/) }),
      // the node cannot simulate
      funding: null,
    })
    expect(await readStored()).toEqual([
      {
        chainId: 11_155_111,
        sellToken: usd,
        buyToken: wrappedNative,
        sellAmount: 1_000_000_000n,
        buyAmount: 500_000_000_000_000_000n,
        kind: 'sell',
        quoteKind: 'standard',
        gasAmount: 100_000n,
        gasPrice,
        sellTokenPrice: 500_000_000,
        feeAmount: fee,
        offeredSellAmount: 1_000_000_000n - fee,
        offeredBuyAmount: (1_000_000_000n - fee) * 500_000_000n,
        solver: solver.address,
        verified: false,
        metadata: {
          version: '1.0',
          interactions: [{ target: '0x7000000000000000000000000000000000000007', value: '0', callData: '0xabcd' }],
          preInteractions: [],
          jitOrders: [],
        },
        elapsedMs: 0,
        id: body.id,
        createdAt: expect.any(Date),
        expiresAt: new Date(now + 60_000),
      },
    ])
  })

  test('exact sell and exact buy amounts exclude the fee', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    const sell = await request(deps, { kind: 'sell', sellAmountAfterFee: '1000000' })
    expect(sell.body.quote).toMatchObject({ sellAmount: '1000000', buyAmount: '500000000000000', feeAmount: '400000' })
    const buy = await request(deps, { kind: 'buy', buyAmountAfterFee: '500000000000000' })
    expect(buy.body.quote).toMatchObject({ sellAmount: '1000000', buyAmount: '500000000000000', feeAmount: '400000' })
    // the exact sale with its fee, at the same price, because the order to sign sells both
    expect(sell.body.signable.order).toMatchObject({ sellAmount: '1400000' })
    expect(await readStored()).toMatchObject([
      { sellAmount: 1_400_000n, buyAmount: 700_000_000_000_000n, offeredSellAmount: 1_000_000n },
      { sellAmount: 1_000_000n, buyAmount: 500_000_000_000_000n, offeredSellAmount: 1_000_000n },
    ])
  })

  test('the best price after gas wins, not the best price before it', async () => {
    const better = { ...values, [usd]: 5_001n * 10n ** 23n }
    const [cheap, generous] = await Promise.all([
      start('cheap', quotingAt(values, { gas: 100_000 }), { address: '0x5000000000000000000000000000000000000001' }),
      start('generous', quotingAt(better, { gas: 200_000 }), { address: '0x5000000000000000000000000000000000000002' }),
    ])
    const deps = depsOf([cheap.solver, generous.solver])
    // 0.02 % of the size against 100 000 gas · 2 gwei = 2·10¹⁴ wei more gas: equal at 10¹⁸ wei
    await request(deps, { kind: 'sell', sellAmountAfterFee: '1900000000' })
    await request(deps, { kind: 'sell', sellAmountAfterFee: '2100000000' })
    await request(deps, { kind: 'buy', buyAmountAfterFee: '950000000000000000' })
    await request(deps, { kind: 'buy', buyAmountAfterFee: '1050000000000000000' })
    expect((await readStored()).map((quote) => quote.solver.at(-1))).toEqual(['1', '2', '1', '2'])
  })

  test('a solver with an invalid, oversized, late or missing response does not affect the others', async () => {
    const { solver } = await start('good', quotingAt(values, { gas: 100_000 }))
    const bad = await Promise.all((['garbage', 'huge', 'late', 'never', 'lies'] as const).map(startBad))
    const broken = await Promise.all([
      start('fails', answering('oops', 500)),
      start('noPrices', answering({ clearingPrices: {}, interactions: [], solver: from, gas: 1 })),
      start('zeroPrices', quotingAt({ [usd]: 0n, [wrappedNative]: 0n }, { gas: 1 })),
      start('overflow', quotingAt({ [usd]: 2n ** 255n, [wrappedNative]: 1n }, { gas: 1 })),
      start('noGas', quotingAt({ ...values, [usd]: 10n ** 27n })),
      start('negativeGas', quotingAt({ ...values, [usd]: 10n ** 27n }, { gas: -1 })),
    ])
    const gone = await start('gone', answering({}))
    await gone.stop()
    const all = [...bad, ...broken.map((running) => running.solver), gone.solver, solver]
    const deps = depsOf(all, { timeoutMs: 1_000 })
    const { status } = await settlesBefore(2_500, request(deps, budget))
    expect(status).toBe(200)
    expect(await readStored()).toMatchObject([{ solver: solver.address, buyAmount: 500_000_000_000_000_000n }])
  })

  test('a solver is stored under its configured address, whatever it calls itself', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 1, solver: from }))
    const deps = depsOf([solver])
    await request(deps, budget)
    expect((await readStored())[0]?.solver).toBe(solver.address)
  })

  test('distinguishes a missing route from a missing response', async () => {
    const noRoute = await start('noRoute', quotingAt({ [wrappedNative]: 1n }, { gas: 1 }))
    const noLiquidity = await request(depsOf([noRoute.solver]), budget)
    expect(noLiquidity).toMatchObject({
      status: 400,
      body: { errorType: 'NoLiquidity', data: { solvers: { noRoute: 'QuotingFailed' }, retryable: false } },
    })
    expect(noLiquidity.headers.get('Cache-Control')).toBe('no-store')

    const never = await startBad('never')
    const secretive = await start('secretive', answering({ kind: 'http://internal', description: 'x' }, 400))
    const { body } = await request(depsOf([noRoute.solver, never, secretive.solver], { timeoutMs: 2_000 }), budget)
    expect(body).toMatchObject({
      errorType: 'NoLiquidity',
      data: { solvers: { noRoute: 'QuotingFailed', never: 'Timeout', secretive: 'SolverFailed' }, retryable: true },
    })
  })

  test.each([
    ['TradingOutsideAllowedWindow', 'TokenTemporarilySuspended'],
    ['TokenTemporarilySuspended', 'InsufficientLiquidity'],
    ['InsufficientLiquidity', 'CustomSolverError'],
    ['CustomSolverError', 'QuotingFailed'],
  ])('a solver says %s, another %s: the first is reported, in the words of its solver', async (kind, other) => {
    const [first, second] = await Promise.all([
      start('first', answering({ kind: other, description: 'not me' }, 400)),
      start('second', answering({ kind, description: 'closed until\nMonday' }, 400)),
    ])
    const deps = depsOf([first.solver, second.solver])
    expect(await request(deps, budget)).toMatchObject({
      status: 400,
      body: {
        errorType: kind,
        description: 'closed until Monday',
        data: { solvers: { first: other, second: kind }, retryable: false },
      },
    })
    expect(await readStored()).toEqual([])
  })

  test('the reason of one solver is ignored while another has a route; a reason without text gets a default description', async () => {
    const [open, closed] = await Promise.all([
      start('open', quotingAt(values, { gas: 100_000 })),
      start('closed', answering({ kind: 'CustomSolverError' }, 400)),
    ])
    expect((await request(depsOf([closed.solver, open.solver]), budget)).status).toBe(200)
    const { body } = await request(depsOf([closed.solver]), budget)
    expect(body).toMatchObject({ errorType: 'CustomSolverError', description: expect.stringContaining('solvers') })
  })

  test('a token without a native price has no quote, since it could never enter an auction', async () => {
    const other: Address = '0x2000000000000000000000000000000000000002'
    const pair = { [usd]: 1n, [other]: 1n }
    const { solver } = await start('direct', quotingAt(pair, { gas: 1 }))
    const deps = depsOf([solver])
    const { status, body } = await request(deps, { ...budget, buyToken: other })
    expect(status).toBe(400)
    expect(body).toMatchObject({ errorType: 'NoLiquidity', data: { field: 'sellToken', token: usd, retryable: false } })
    // a solver that does not respond may have the price
    const { solver: broken } = await start('broken', answering('oops', 500))
    const retried = await request(depsOf([solver, broken]), { ...budget, buyToken: other })
    expect(retried).toMatchObject({ status: 400, body: { errorType: 'NoLiquidity', data: { retryable: true } } })
    expect(await readStored()).toEqual([])
  })

  test('the native token is bought wrapped, and its unwrapping is paid for', async () => {
    const { solver, asked } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    const { body } = await request(deps, { ...budget, buyToken: nativeSentinel })
    expect(body.quote).toMatchObject({ buyToken: nativeSentinel, gasAmount: '109223' })
    expect(asked[0]?.searchParams.get('buyToken')).toBe(wrappedNative)
    expect((await readStored())[0]?.buyToken).toBe(nativeSentinel)
  })

  test('a contract owner pays for its signature check and for wrapping ether', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    const gasOf = async (fields: object) => (await request(deps, { ...budget, ...fields })).body.quote.gasAmount
    expect(await gasOf({ signingScheme: 'eip1271' })).toBe('127000')
    expect(await gasOf({ signingScheme: 'eip1271', verificationGasLimit: 50_000 })).toBe('150000')
    expect(await gasOf({ signingScheme: 'eip1271', verificationGasLimit: 0, onchainOrder: true })).toBe('135000')
    expect(await gasOf({ signingScheme: 'presign', onchainOrder: true })).toBe('100000')
    expect((await readStored()).map(({ quoteKind, expiresAt }) => [quoteKind, expiresAt.getTime() - now])).toEqual([
      ['standard', 60_000],
      ['standard', 60_000],
      ['eip1271onchainorder', 600_000],
      ['presignonchainorder', 600_000],
    ])
  })

  test('hooks of the document are paid for', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const hook = { target: usd, callData: '0x', gasLimit: '70000' }
    const appData = JSON.stringify({ metadata: { hooks: { pre: [hook] } } })
    const { body } = await request(depsOf([solver]), { ...budget, appData })
    expect(body.quote).toMatchObject({ gasAmount: '183000', feeAmount: '732000' })
  })

  test('signature check and hooks of a document are paid for together', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    // a volume fee of later makes no difference
    const deps = depsOf([solver], { feeRules: volumeFee(0.00003, now / 1_000 + 3_600) })
    const hook = { target: usd, callData: '0x', gasLimit: '5000' }
    const hooks = { appData: JSON.stringify({ metadata: { hooks: { pre: [hook], post: [hook] } } }) }
    const check = { signingScheme: 'eip1271', verificationGasLimit: 50_000 }
    const feeOf = async (fields: object) =>
      BigInt((await request(deps, { ...budget, ...fields })).body.quote.feeAmount ?? 0)
    const plain = await feeOf({})
    const hooked = await feeOf(hooks)
    const checked = await feeOf(check)
    // gas · 2 gwei / 5·10⁸ wei per atom
    expect(plain).toBe(400_000n)
    expect(checked).toBe(600_000n)
    expect(hooked).toBeGreaterThanOrEqual(440_000n)
    expect(await feeOf({ ...hooks, ...check })).toBe(hooked + checked - plain)
  })

  test('rejects the fast path by its name, without a request to a solver', async () => {
    const { solver, asked } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    const appData = (flag: boolean) => JSON.stringify({ metadata: { enableFastPath: flag } })
    const { status, body } = await request(deps, { ...budget, appData: appData(true) })
    expect(status).toBe(400)
    expect(body).toMatchObject({ errorType: 'InvalidAppData' })
    expect(JSON.stringify(body)).toContain('enableFastPath')
    expect([asked, await readStored()]).toEqual([[], []])
    expect((await request(deps, { ...budget, appData: appData(false) })).status).toBe(200)
  })

  test('the protocol takes its share of the volume; the stored amounts are without it', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver], { feeRules: volumeFee(0.00003) })
    const sell = await request(deps, { kind: 'sell', sellAmountAfterFee: '1000000' })
    expect(sell.body).toMatchObject({
      protocolFeeBps: '0.3',
      quote: { sellAmount: '1000000', buyAmount: '499985000000000', feeAmount: '400000' },
    })
    const buy = await request(deps, { kind: 'buy', buyAmountAfterFee: '500000000000000' })
    // ⌊ 1 400 000 · 30 / 10⁶ ⌋ = 42
    expect(buy.body).toMatchObject({
      protocolFeeBps: '0.3',
      quote: { sellAmount: '1000042', buyAmount: '500000000000000', feeAmount: '400000' },
    })
    expect((await readStored()).map(({ sellAmount, buyAmount }) => [sellAmount, buyAmount])).toEqual([
      [1_400_000n, 700_000_000_000_000n],
      [1_000_000n, 500_000_000_000_000n],
    ])
    expect(
      (await readStored()).map(({ offeredSellAmount, offeredBuyAmount }) => [offeredSellAmount, offeredBuyAmount]),
    ).toEqual([
      [1_000_000n, 499_985_000_000_000n],
      [1_000_042n, 500_000_000_000_000n],
    ])
  })

  test('slippageBps "auto" leaves room for this fee and for the moves of the pair, in a sell and in a buy order', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const pairs: object[] = []
    const findSlippageRoom = async (pair: object) => {
      pairs.push(pair)
      return { priceBps: 30, basis: 'pair', feePpm: 400_000n } as const
    }
    const deps = depsOf([solver], { findSlippageRoom })
    const sell = await request(deps, { kind: 'sell', sellAmountBeforeFee: '10400000', slippageBps: 'auto' })
    // 40 % of a fee of 400 000 atoms is 1.6 % of the 10 000 000 that are traded
    expect(sell.body).toMatchObject({ slippageBps: 190, quote: { sellAmount: '10000000', feeAmount: '400000' } })
    const { afterPartnerFee, afterSlippage } = sell.body.amounts
    expect(BigInt(afterSlippage?.buyAmount ?? 0)).toBe((BigInt(afterPartnerFee?.buyAmount ?? 0) * 9_810n) / 10_000n)
    expect(sell.body.signable.order.buyAmount).toBe(afterSlippage?.buyAmount)
    const buy = await request(deps, { kind: 'buy', buyAmountAfterFee: '5000000000000000', slippageBps: 'auto' })
    expect(buy.body).toMatchObject({ slippageBps: 190, quote: { sellAmount: '10000000', feeAmount: '400000' } })
    // ⌊ 10 400 000 · 1.019 ⌋
    expect(buy.body.signable.order.sellAmount).toBe('10597600')
    expect(pairs).toEqual(Array(2).fill({ base: usd, quote: wrappedNative }))
    await request(deps, { ...budget, slippageBps: 40 })
    await request(deps, budget)
    expect(pairs).toHaveLength(2)
  })

  test.each<[string, QuoteDeps['findSlippageRoom']]>([
    ['fails', () => Promise.reject(new Error('no history'))],
    ['never arrives', () => new Promise(() => undefined)],
  ])('a history that %s leaves the default room', async (_, findSlippageRoom) => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver], { findSlippageRoom, timeoutMs: 2_000 })
    const { body } = await request(deps, { kind: 'sell', sellAmountBeforeFee: '10400000', slippageBps: 'auto' })
    expect(body).toMatchObject({ slippageBps: 250, quote: { feeAmount: '400000' } })
  })

  test('the order to sign: the whole amount with the limit, and what a wallet needs for it', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    const { body } = await request(deps, { ...budget, slippageBps: 100, appData: '{}' })
    const { order, typedData, digest, orderUid } = body.signable
    expect(order).toEqual({
      sellToken: usd,
      buyToken: wrappedNative,
      receiver: zeroAddress,
      sellAmount: '1000000000',
      buyAmount: ((BigInt(body.quote.buyAmount ?? 0) * 99n + 99n) / 100n).toString(),
      validTo: now / 1_000 + 1_800,
      appData: body.quote.appDataHash,
      feeAmount: '0',
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    })
    expect(hashTypedData(typedData)).toBe(digest)
    expect(typedData.message).toEqual(order)
    expect(orderUid).toBe(`${digest}${from.slice(2)}${order.validTo.toString(16)}`)
    expect(body.amounts.afterSlippage).toEqual({ sellAmount: order.sellAmount, buyAmount: order.buyAmount })
  })

  test.each([
    { kind: 'sell', sellAmountBeforeFee: '1000000000' },
    { kind: 'buy', buyAmountAfterFee: '500000000000000000' },
  ])('leaves room for a partner fee of the request, as for the same fee of the document: %j', async (size) => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver], { feeRules: { ...noFees, maxPartnerPpm: 10_000n } })
    const fee = { volumeBps: 80, recipient: from }
    const appData = JSON.stringify({ metadata: { partnerFee: fee } })
    const plain = await request(deps, size)
    const requested = await request(deps, { ...size, partnerFeeBps: 80 })
    const documented = await request(deps, { ...size, appData })
    const both = await request(deps, { ...size, appData, partnerFeeBps: 80 })
    expect(requested.body.quote).toEqual(plain.body.quote)
    expect(requested.body.amounts).toEqual(documented.body.amounts)
    expect(both.body.amounts).toEqual(documented.body.amounts)
    const key = size.kind === 'sell' ? 'buyAmount' : 'sellAmount'
    const [before, after, limit] = ['afterProtocolFee', 'afterPartnerFee', 'afterSlippage'].map((rung) =>
      Number(requested.body.amounts[rung]?.[key]),
    ) as [number, number, number]
    expect(Math.abs(after - before) / before).toBeCloseTo(0.008, 8)
    expect(Number(requested.body.signable.order[key])).toBe(limit)
    expect(Math.abs(limit - after) / after).toBeCloseTo(0.005, 6)
    const conflict = await request(deps, { ...size, appData, partnerFeeBps: 81 })
    expect(conflict).toMatchObject({
      status: 400,
      body: { errorType: 'InvalidParameter', data: { field: 'partnerFeeBps' } },
    })
  })

  test('without a wallet the order has no UID; an order that a contract places is not signed', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    expect((await request(deps, { ...budget, from: zeroAddress })).body.signable.orderUid).toBeNull()
    const placed = await request(deps, { ...budget, signingScheme: 'eip1271', onchainOrder: true })
    expect(placed.body.signable).toBeNull()
  })

  test('a fast quote takes the first two responses and is not stored', async () => {
    const isRead = Promise.withResolvers<void>()
    const respond = quotingAt({ ...values, [usd]: 9n * 10n ** 26n }, { gas: 1 })
    const [slow, ...quick] = await Promise.all([
      start('slow', (request, response) => void isRead.promise.then(() => respond(request, response))),
      start('one', quotingAt(values, { gas: 100_000 })),
      start('two', quotingAt(values, { gas: 100_000 })),
    ])
    const deps = depsOf([slow.solver, ...quick.map((running) => running.solver)])
    const { body } = await request(deps, { ...budget, priceQuality: 'fast' })
    expect(body).toMatchObject({ id: null, expiration: '1970-01-01T00:00:00.000Z', quote: { gasAmount: '100000' } })
    expect(await readStored()).toEqual([])
    isRead.resolve()
    const optimal = await request(deps, { ...budget, priceQuality: 'optimal' })
    expect(optimal.body).toMatchObject({ id: expect.any(Number), quote: { gasAmount: '1' } })
  })

  test('a timeout shortens the default and is raised to the minimum', async () => {
    const never = await startBad('never')
    const deps = depsOf([never], { timeoutMs: 1_000 })
    const isUnavailable = async (timeout: number | null) =>
      expect((await request(deps, { ...budget, timeout })).body.errorType).toBe('ServiceUnavailable')
    await settlesAfter(490, settlesBefore(900, isUnavailable(0)))
    await settlesBefore(1_600, isUnavailable(60_000))
    await settlesAfter(990, isUnavailable(null))
  })

  test.each([0, 1, 20])('finds a quote with a timeout of %i ms', async (timeout) => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000, afterMs: 100 }))
    const findGasPrice = (limitMs: number) =>
      limitMs < 100 ? Promise.reject(new ApiError('ServiceUnavailable')) : Promise.resolve(gasPrice)
    expect((await request(depsOf([solver], { findGasPrice }), { ...budget, timeout })).status).toBe(200)
  })

  test('sellBeforeFee below the fee reports the fee', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver])
    const { status, body } = await request(deps, { kind: 'sell', sellAmountBeforeFee: '400000' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      errorType: 'SellAmountDoesNotCoverFee',
      data: { fee_amount: '0x61a80', feeAmount: '400000' },
    })
    expect(await readStored()).toEqual([])
  })

  test('returns the document unchanged, and a known hash as its hash', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const known = `0x${'ab'.repeat(32)}` as const
    const deps = depsOf([solver])
    await insertAppData(database, known, '{}')
    const document = '{ "appCode":"x" }'
    const text = await request(deps, { ...budget, appData: document })
    expect(text.body.quote.appData).toBe(document)
    expect((await request(deps, { ...budget, appData: known })).body.quote).toMatchObject({
      appData: known,
      appDataHash: known,
    })
  })

  test('an invalid request sends no request to a solver', async () => {
    const { solver, asked } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const deps = depsOf([solver], { bannedUsers: new Set([from]) })
    expect(await request(deps, budget)).toMatchObject({ status: 403, body: { errorType: 'Forbidden' } })
    const open = depsOf([solver])
    expect(await request(open, { ...budget, sellToken: 'usd' })).toMatchObject({
      status: 400,
      body: { errorType: 'InvalidParameter', data: { field: 'sellToken', got: 'usd' } },
    })
    expect(await request(open, { ...budget, buyToken: usd })).toMatchObject({
      status: 400,
      body: { errorType: 'SameBuyAndSellToken' },
    })
    expect(asked).toEqual([])
  })

  test('the network fee pays for the data of the settlement, as gas at the gas price', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    // 10,000.5 gas units at 2 gwei
    const findDataFee = async () => 20_001_000_000_000n
    const { body } = await request(depsOf([solver], { findDataFee }), budget)
    // 110,001 gas · 2 gwei / 5·10⁸ wei per atom
    expect(body.quote).toMatchObject({ feeAmount: '440004', gasAmount: '110001' })
  })

  test('a quote without the fee for data is unavailable', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const findDataFee = () => Promise.reject(new ApiError('ServiceUnavailable'))
    const { status, body } = await request(depsOf([solver], { findDataFee }), budget)
    expect({ status, type: body.errorType }).toEqual({ status: 503, type: 'ServiceUnavailable' })
  })

  test('an unreachable node is reported as unavailable, not as a lack of liquidity', async () => {
    const { solver } = await start('direct', quotingAt(values, { gas: 100_000 }))
    const findGasPrice = () => Promise.reject(new ApiError('ServiceUnavailable'))
    const { status, headers, body } = await request(depsOf([solver], { findGasPrice }), budget)
    expect({ status, type: body.errorType }).toEqual({ status: 503, type: 'ServiceUnavailable' })
    expect(headers.get('Retry-After')).toBe('1')
  })

  test.each([
    ['not json', 'application/json', 400, 'InvalidParameter'],
    ['', 'application/json', 400, 'InvalidParameter'],
    [JSON.stringify({ ...budget, sellToken: usd }), 'text/plain', 415, 'UnsupportedMediaType'],
  ])('body %j as %s: %i %s', async (body, type, status, errorType) => {
    const response = await postQuote(depsOf([])).request('/api/v1/quote', {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ errorType })
  })
})
