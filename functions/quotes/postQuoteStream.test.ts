import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { quotes } from '#schema/tables/quotes/quotes.ts'
import { ApiError } from '#shared/http/errors.ts'
import { networks } from '#shared/networks.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { readEvents } from '#test/helpers/http/readEvents.ts'
import { buildQuoteDeps } from '#test/helpers/solvers/quoteDeps.ts'
import { answering, isPriceRequest, quotingAt, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { settlesAfter, settlesBefore } from '#test/helpers/stack/settles.ts'
import type { QuoteDeps } from './postQuote.ts'
import { postQuoteStream } from './postQuoteStream.ts'
import { toEventStream } from './response/toEventStream.ts'

const { wrappedNative } = networks.sepolia
const usd: Address = '0x1000000000000000000000000000000000000001'
/** wei per 10¹⁸ atoms */
const values = { [wrappedNative]: 10n ** 18n, [usd]: 5n * 10n ** 26n }

const stops: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})
const start = async (name: string, listener: RequestListener) => {
  const running = await startSolver(name, listener)
  stops.push(running.stop)
  return running.solver
}

/** A solver whose offer leaves the trader more the less gas it takes; native prices come at once. */
const offering =
  (gas: number, afterMs: number): RequestListener =>
  (request, response) =>
    quotingAt(values, { gas, afterMs: isPriceRequest(request) ? 0 : afterMs })(request, response)
/** Such a solver whose offer waits for an event. */
const offeringAfter =
  (cue: Promise<void>, gas: number): RequestListener =>
  async (request, response) => {
    if (!isPriceRequest(request)) await cue
    offering(gas, 0)(request, response)
  }

const { database, close } = await startTestDatabase()
beforeEach(() => database.delete(quotes))
afterAll(close)

const depsOf = (solvers: QuoteDeps['solvers'], changes: Partial<QuoteDeps> = {}) =>
  buildQuoteDeps(database, solvers, changes)
const readStored = () => database.select().from(quotes).orderBy(quotes.id)

const request = async (deps: QuoteDeps, fields: object = {}) =>
  postQuoteStream(deps).request('/api/v1/quote/stream', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      sellToken: usd,
      buyToken: wrappedNative,
      from: '0x3000000000000000000000000000000000000003',
      kind: 'sell',
      sellAmountBeforeFee: '1000000000',
      ...fields,
    }),
  })

describe('POST quote/stream', () => {
  test('holds back an offer far above known prices, until another solver confirms it', async () => {
    const generous = { ...values, [usd]: 250n * 10n ** 26n }
    const lying = (cue: Promise<void>): RequestListener => {
      return async (request, response) => {
        if (!isPriceRequest(request)) await cue
        quotingAt(isPriceRequest(request) ? values : generous, { gas: 1 })(request, response)
      }
    }
    const liar = await start('liar', lying(Promise.resolve()))
    const honest = await start('honest', offering(200_000, 100))
    const alone = await readEvents(await request(depsOf([liar, honest])))
    expect(alone).toMatchObject([{ data: { quote: { gasAmount: '200000' } } }])
    const heard = Promise.withResolvers<void>()
    const deps = depsOf([liar, honest, await start('other', lying(heard.promise))])
    const confirmed = await readEvents(await request(deps), () => heard.resolve())
    expect(confirmed).toMatchObject([
      { data: { quote: { gasAmount: '200000' } } },
      { name: 'message', data: { quote: { gasAmount: '1' } } },
    ])
  })

  test('sends every offer that is better than all before it, each stored', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const solvers = await Promise.all([
      start('slow', offeringAfter(second.promise, 90_000)),
      start('quick', offering(200_000, 0)),
      start('best', offeringAfter(first.promise, 80_000)),
      start('equal', offeringAfter(second.promise, 80_000)),
    ])
    const deps = depsOf(solvers)
    const response = await request(deps, { priceQuality: 'fast' })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    const cues = [first, second]
    const events = await readEvents(response, () => cues.shift()?.resolve())
    const ids = (await readStored()).map(({ id }) => id)
    expect(events).toMatchObject([
      { name: 'message', data: { id: ids[0], quote: { gasAmount: '200000' } } },
      { name: 'message', data: { id: ids[1], quote: { gasAmount: '80000' } } },
    ])
    expect((await readStored()).map(({ gasAmount }) => gasAmount)).toEqual([200_000n, 80_000n])
  })

  test('sends an offer as soon as two other solvers agree on the prices', async () => {
    const heard = Promise.withResolvers<void>()
    const slow: RequestListener = async (request, response) => {
      await heard.promise
      quotingAt(values, { gas: 80_000 })(request, response)
    }
    const solvers = await Promise.all([
      start('slow', slow),
      start('quick', offering(200_000, 0)),
      start('other', offering(200_000, 0)),
    ])
    const events = await readEvents(await request(depsOf(solvers)), () => heard.resolve())
    expect(events).toMatchObject([
      { name: 'message', data: { quote: { gasAmount: '200000' } } },
      { name: 'message', data: { quote: { gasAmount: '80000' } } },
    ])
  })

  test('without an offer there is one error, of the same kind as that of a plain quote', async () => {
    const refusing: RequestListener = (request, response) => {
      const listener = isPriceRequest(request)
        ? offering(1, 0)
        : answering({ kind: 'TokenTemporarilySuspended', description: 'halted' }, 400)
      listener(request, response)
    }
    const suspended = await request(depsOf([await start('one', refusing)]))
    expect(suspended.status).toBe(200)
    expect(await readEvents(suspended)).toMatchObject([
      { name: 'error', data: { errorType: 'TokenTemporarilySuspended', description: 'halted' } },
    ])
    const dear = depsOf([await start('dear', offering(10 ** 12, 0)), await start('two', refusing)])
    expect(await readEvents(await request(dear))).toMatchObject([
      { name: 'error', data: { errorType: 'SellAmountDoesNotCoverFee', data: { fee_amount: expect.any(String) } } },
    ])
    expect(await readStored()).toEqual([])
  })

  test('a quote that cannot be stored ends the stream with an error that hides the cause', async () => {
    const failing = connectDatabase('postgres://u:p@127.0.0.1/none', 1_000, async () =>
      Response.json({ message: 'password=secret' }, { status: 400 }),
    )
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const deps = depsOf([await start('one', offering(1, 0))], { database: failing })
    const events = await readEvents(await request(deps))
    expect(events).toMatchObject([{ name: 'error', data: { errorType: 'InternalServerError' } }])
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(logged).toHaveBeenCalledOnce()
    logged.mockRestore()
  })

  test('a failure before the first offer is an ordinary response', async () => {
    const solver = await start('one', offering(1, 0))
    const deps = depsOf([solver])
    expect((await request(deps, { sellToken: 'usd' })).status).toBe(400)
    expect((await request(deps, { buyToken: usd })).status).toBe(400)
    const unavailable = depsOf([solver], { findGasPrice: () => Promise.reject(new ApiError('ServiceUnavailable')) })
    expect((await request(unavailable)).status).toBe(503)
    const unpriced = await request(depsOf([await start('two', quotingAt({}))]))
    expect({ status: unpriced.status, body: await unpriced.json() }).toMatchObject({
      status: 400,
      body: { errorType: 'NoLiquidity' },
    })
  })

  test('ends at the timeout, to 50 ms', async () => {
    const never: RequestListener = (request, response) => {
      if (isPriceRequest(request)) offering(1, 0)(request, response)
    }
    const deps = depsOf([await start('never', never), await start('quick', offering(1, 0))])
    const read = async () => readEvents(await request(deps, { timeout: 500 }))
    const events = await settlesAfter(490, settlesBefore(550, read()))
    expect(events).toMatchObject([{ name: 'message' }])
  })

  test('a disconnected client ends all work', async () => {
    const dropped = Promise.withResolvers<void>()
    const never: RequestListener = (request, response) => {
      if (isPriceRequest(request)) return offering(1, 0)(request, response)
      response.once('close', () => dropped.resolve())
    }
    const deps = depsOf([await start('never', never), await start('late', offering(1, 400))])
    const response = await request(deps)
    await response.body?.cancel()
    await settlesBefore(200, dropped.promise)
    await sleep(100)
    expect(await readStored()).toEqual([])
  })
})

test('a comment every second keeps the connection open and detects disconnected clients', async () => {
  vi.useFakeTimers()
  try {
    const finished = Promise.withResolvers<void>()
    const text = new Response(
      toEventStream(
        () => finished.promise,
        () => undefined,
      ),
    ).text()
    await vi.advanceTimersByTimeAsync(2_100)
    finished.resolve()
    expect(await text).toBe(':\n\n:\n\n')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
