import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Stack } from '#tools/stack/startStack.ts'
import { type Inspector, inspectResponses } from '../helpers/http/inspectResponses.ts'
import { readEvents } from '../helpers/http/readEvents.ts'
import { answering, type RunningSolver, startSolver } from '../helpers/solvers/startSolver.ts'
import { startBareTestStack } from '../helpers/stack/testStack.ts'

const timeoutMs = 15_000
/** Two honest solvers respond in a fraction of this on a busy machine; one that hangs would take the whole timeout. */
const boundMs = 10_000
/** of a stream, which waits for solvers that hang to its end */
const streamMs = 5_000

/** Open requests of the driver that never responds. */
const waiting = new Set<object>()
const waitForHangUps = (left: number) => expect.poll(() => waiting.size, { timeout: 2 * timeoutMs }).toBe(left)

/** Prices every token alike: sold atoms and bought atoms differ by `factor`. */
const pricing =
  (sellPrice: string, buyPrice: string): RequestListener =>
  (request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://solver')
    if (pathname !== '/quote') return answering({ solutions: [] })(request, response)
    const [sellToken, buyToken] = [searchParams.get('sellToken') ?? '', searchParams.get('buyToken') ?? '']
    const clearingPrices = { [sellToken]: sellPrice, [buyToken]: buyPrice }
    answering({ clearingPrices, interactions: [], solver: zeroAddress, gas: 100_000 })(request, response)
  }
const huge = '1000000000000000000000'

/** Whether the solvers that lie and send slowly do so; otherwise they have no route. */
let isHostile = true
const whileHostile =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (isHostile) return listener(request, response)
    const answer = request.url?.includes('/quote')
      ? answering({ kind: 'QuotingFailed', description: 'no route' }, 400)
      : answering({ solutions: [] })
    answer(request, response)
  }

const misbehaviours: Record<string, RequestListener> = {
  hanging: (request, response) => {
    if (!request.url?.includes('kind=sell')) return
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
  },
  bogusLow: whileHostile(pricing('1', huge)),
  bogusHigh: whileHostile(pricing(huge, '1')),
  dripping: whileHostile((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 500)
    response.on('close', () => clearInterval(drip))
  }),
}

let stack: Stack
/** checks the responses of `sendRequest` */
let inspector: Inspector
let solvers: RunningSolver[]

beforeAll(async () => {
  solvers = await Promise.all(
    Object.entries(misbehaviours).map(([name, listener], i) =>
      startSolver(name, listener, { address: `0x${String(i + 1).repeat(40)}` }),
    ),
  )
  stack = await startBareTestStack({
    extraSolvers: solvers.map(({ solver: { name, address, baseUrl: url } }) => ({ name, address, url })),
    vars: { quotes: { QUOTE_TIMEOUT_MS: String(timeoutMs) } },
  })
  inspector = await inspectResponses(stack.info.baseUrl)
})
afterAll(async () => {
  await stack?.stop()
  await Promise.all((solvers ?? []).map(({ stop }) => stop()))
  await inspector?.close()
})

const post = (path: string, body: object, signal: AbortSignal | null = null, baseUrl = stack.info.baseUrl) =>
  fetch(`${baseUrl}/${stack.info.network}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const request = (changes: object = {}) => ({
  sellToken: stack.info.tokens.WETH?.address,
  buyToken: stack.info.tokens.USDC?.address,
  from: zeroAddress,
  kind: 'sell',
  sellAmountBeforeFee: parseEther('0.5').toString(),
  ...changes,
})

const urlOf = (path: string) => `${inspector.baseUrl}/${stack.info.network}/api/v1/${path}`
const sendRequest = (path: string, fields: object, signal: AbortSignal | null = null) =>
  post(path, request(fields), signal, inspector.baseUrl)

type Priced = { quote: { sellAmount: string; buyAmount: string; feeAmount: string; sellTokenPrice: string } }

/** Half an ether is worth about 1,500 dollars, and a fee about one of them at most. */
const expectHonest = ({ quote }: Priced) => {
  const dollars = Number(quote.buyAmount) / 1e6
  expect(dollars).toBeGreaterThan(1_400)
  expect(dollars).toBeLessThan(1_510)
  expect(Number(quote.feeAmount)).toBeLessThan(Number(quote.sellAmount) / 100)
}

/**
 * Does something while a stream waits for the solvers that hang, and then leaves it: it takes as long as its timeout on
 * any machine.
 * @returns whether the stream still waited at the end
 */
const raceStream = async <T>(work: () => Promise<T>): Promise<{ result: T; isInTime: boolean }> => {
  const leaving = new AbortController()
  let isInTime = true
  const stream = sendRequest('quote/stream', { timeout: boundMs }, leaving.signal)
    .then(async (response) => {
      await response.text()
      isInTime = false
    })
    .catch(() => undefined)
  const result = await work()
  leaving.abort()
  const race = { result, isInTime }
  await stream
  return race
}

describe('with solvers that lie, hang and send slowly beside honest ones', () => {
  test.each(['fast', 'optimal', 'verified'])('a quote of quality %s is honest and in time', async (priceQuality) => {
    const inTime: boolean[] = []
    for (let i = 0; i < 3; i += 1) {
      const { result, isInTime } = await raceStream(() => sendRequest('quote', { priceQuality }))
      expect(result.status).toBe(200)
      expectHonest((await result.json()) as Priced)
      inTime.push(isInTime)
    }
    expect(inTime).toContain(true)
  })

  test('a quote to buy is honest, with prices of a token known only from routes', async () => {
    const { COW, USDC } = stack.info.tokens
    const { result, isInTime } = await raceStream(() =>
      sendRequest('quote', {
        sellToken: USDC?.address,
        buyToken: COW?.address,
        kind: 'buy',
        sellAmountBeforeFee: undefined,
        buyAmountAfterFee: parseEther('100').toString(),
        priceQuality: 'optimal',
      }),
    )
    expect(result.status).toBe(200)
    const { quote } = (await result.json()) as Priced
    // a COW is 0.3 dollars
    expect(Number(quote.sellAmount) / 1e6).toBeGreaterThan(25)
    expect(Number(quote.sellAmount) / 1e6).toBeLessThan(40)
    expect(isInTime).toBe(true)
  })

  test('every offer of a stream is below the market rate, and the last one is honest', async () => {
    const first = Promise.withResolvers<void>()
    const [events, { isInTime }] = await Promise.all([
      sendRequest('quote/stream', { timeout: streamMs }).then((response) =>
        readEvents(response, () => first.resolve()),
      ),
      raceStream(() => first.promise),
    ])
    const quotes = events.filter(({ name }) => name === 'message').map(({ data }) => data as Priced)
    expect(events.filter(({ name }) => name === 'error')).toEqual([])
    for (const { quote } of quotes) expect(Number(quote.buyAmount) / 1e6).toBeLessThan(1_510)
    const last = quotes.at(-1)
    if (!last) throw new Error('no offer')
    expectHonest(last)
    expect(isInTime).toBe(true)
  })

  test('a native price is honest and in time', async () => {
    const path = `token/${stack.info.tokens.USDC?.address}/native_price`
    const { result, isInTime } = await raceStream(() => fetch(urlOf(path)))
    const { price } = (await result.json()) as { price: number }
    // wei for an atom of a dollar with 6 decimals: 10¹⁸ / 3000 / 10⁶
    expect(price / (1e12 / 3_000)).toBeGreaterThan(0.9)
    expect(price / (1e12 / 3_000)).toBeLessThan(1.1)
    expect(isInTime).toBe(true)
  })

  test('60 simultaneous quotes are found or rejected as unavailable, and reads continue meanwhile', async () => {
    let isDone = false
    /** each read with the number of quotes that had a response before it ended */
    const reads: { status: number; answered: number }[] = []
    let answered = 0
    const read = async () => {
      while (!isDone) {
        const response = await fetch(urlOf('version'))
        await response.text()
        reads.push({ status: response.status, answered })
      }
    }
    const reading = read()
    const requestQuotes = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const response = await sendRequest('quote', { priceQuality: 'optimal' })
          const { errorType } = (await response.json()) as { errorType?: string }
          answered += 1
          return { status: response.status, errorType, retryAfter: response.headers.get('Retry-After') }
        }),
      )
    const answers = await requestQuotes(60)
    isDone = true
    await reading
    const countFound = () => answers.filter(({ status }) => status === 200).length
    // on a busy machine the first ones may find nothing in time; clients that return after `Retry-After` do
    for (let left = 60 - countFound(); countFound() < 12; left = 60 - countFound()) {
      await sleep(1_000)
      answers.push(...(await requestQuotes(left)))
    }
    const found = countFound()
    for (const refused of answers.filter(({ status }) => status !== 200))
      expect(refused).toEqual({ status: 503, errorType: 'ServiceUnavailable', retryAfter: '1' })
    const meanwhile = reads.filter((one) => one.answered < 60)
    console.log(`60 quotes at once: ${found} found of ${answers.length}, ${meanwhile.length} reads meanwhile`)
    expect(reads.filter(({ status }) => status !== 200)).toEqual([])
    // one read after the other: if reads waited for the quotes, at most the first would end before the last quote
    expect(meanwhile.length).toBeGreaterThan(1)
  })
})

describe('beside a solver that never responds', () => {
  beforeAll(() => {
    isHostile = false
  })

  test('a client that leaves the stream ends the work of the solvers, before the timeout would', async () => {
    await waitForHangUps(0)
    const [leaving, leavingLater] = [new AbortController(), new AbortController()]
    const left = await post('quote/stream', request(), leaving.signal)
    let hasTimedOut = false
    const staying = post('quote/stream', request(), leavingLater.signal)
      .then(async (response) => {
        await readEvents(response)
        hasTimedOut = true
      })
      .catch(() => undefined)
    await left.body?.getReader().read()
    await waitForHangUps(2)
    leaving.abort()
    await waitForHangUps(1)
    expect(hasTimedOut).toBe(false)
    leavingLater.abort()
    await staying
    await waitForHangUps(0)
  })
})
