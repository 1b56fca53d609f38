import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Hex, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectDatabaseAgreesWithChain } from '../helpers/chain/expectDatabaseAgreesWithChain.ts'
import { documentHash } from '../helpers/database/newOrder.ts'
import { type FaultyProxy, type ProxyFault, startFaultyProxy } from '../helpers/http/faultyProxy.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { settlesBefore } from '../helpers/stack/settles.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

/** Longest response time of each route in milliseconds, with any failure behind it (docs/operations.md). */
const deadlines = { read: 8_000, submission: 16_000, quote: 13_000, price: 5_000 }
/** for a loaded machine */
const tolerance = 4_500

let stack: Stack
let trader: Trader
let privateKey: Hex
let proxies: Record<'database' | 'chain', FaultyProxy>
/** every attempted order: its terms, and its UID once it is accepted */
const submissions: { validTo: number; uid?: string }[] = []

/** logs of the Workers */
const logged: string[] = []

beforeAll(async () => {
  const [dbPort, rpcPort] = [await findPort(0, 'DB_PORT'), await findPort(0, 'RPC_PORT')]
  proxies = { database: await startFaultyProxy(dbPort), chain: await startFaultyProxy(rpcPort) }
  const DATABASE_URL = `postgres://edgebook:edgebook@127.0.0.1:${proxies.database.port}/edgebook`
  const RPC_URL = `http://127.0.0.1:${proxies.chain.port}`
  const ofNetwork = { DATABASE_URL, RPC_URL }
  const shared = { DATABASE_URL, RPC_URLS: JSON.stringify({ sepolia: RPC_URL }) }
  stack = await startTestStack({
    dbPort,
    rpcPort,
    log: (line) => logged.push(line),
    vars: {
      ...{ quotes: ofNetwork, orders: ofNetwork, debug: ofNetwork, status: ofNetwork, auctions: ofNetwork },
      gateway: { CACHE: 'memory' },
      ...{ solver: { RPC_URL }, accounts: shared, affiliate: shared, markets: shared, tokens: shared },
    },
  })
  privateKey = stack.info.accounts[0]?.privateKey as Hex
  trader = connectTrader(stack.info, privateKey)
  await trader.approveRelayer(token('WETH'))
  await submit()
})

afterEach(async () => {
  for (const proxy of Object.values(proxies ?? {})) proxy.set('open')
  await stopLoad()
})
afterAll(async () => {
  await stack?.stop()
  await Promise.all(Object.values(proxies ?? {}).map((proxy) => proxy.close()))
})

const token = (symbol: string) => stack.info.tokens[symbol]?.address as Hex
const api = () => `${stack.info.baseUrl}/${stack.info.network}/api/v1`

type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

/** Sends a request and checks the invariants of every response under any fault. */
const sendRequest = async (url: string, deadlineMs: number, json?: unknown): Promise<Answer> => {
  const init = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
  const send = async () => {
    const response = await fetch(url, { ...init, headers: { 'Content-Type': 'application/json' } })
    return { response, body: (await response.json()) as Record<string, unknown> }
  }
  const { response, body } = await settlesBefore(deadlineMs + tolerance, send())
  expect(response.headers.get('Access-Control-Allow-Origin'), url).toBe('*')
  expect(response.headers.get('X-Request-Id'), url).toBeTruthy()
  if (response.status === 503) {
    expect(Number(response.headers.get('Retry-After')), url).toBeGreaterThan(0)
    expect(response.headers.get('Cache-Control'), url).toBe('no-store')
    expect(JSON.stringify(body), url).not.toMatch(/127\.0\.0\.1|postgres|fetch|TypeError| at /)
  }
  return { status: response.status, headers: response.headers, body }
}

let placed = 0
const terms = (validTo: number) => ({
  ...{ sellToken: token('WETH'), buyToken: token('USDC'), validTo },
  ...{ sellAmount: parseUnits('0.001', 18), buyAmount: 1n },
})

/** Posts one order once. */
const submit = async (): Promise<Answer> => {
  placed += 1
  const submission: (typeof submissions)[number] = { validTo: Math.floor(Date.now() / 1_000) + 7_200 + placed }
  submissions.push(submission)
  const order = await signOrder(stack.info, privateKey, terms(submission.validTo))
  const answer = await sendRequest(`${api()}/orders`, deadlines.submission, order)
  if (answer.status === 201) submission.uid = String(answer.body)
  return answer
}

const requests: Record<string, () => Promise<Answer>> = {
  // an unknown order: never served from a cache
  read: () =>
    sendRequest(
      `${api()}/orders/0x${crypto.randomUUID().replaceAll('-', '').repeat(3)}${'0'.repeat(16)}`,
      deadlines.read,
    ),
  submission: submit,
  quote: () =>
    sendRequest(`${api()}/quote`, deadlines.quote, {
      ...{ sellToken: token('WETH'), buyToken: token('USDC'), from: trader.address, kind: 'sell' },
      sellAmountBeforeFee: parseUnits('0.1', 18).toString(),
    }),
}

const findUsdPrice = () =>
  sendRequest(`${stack.info.baseUrl}/${stack.info.chainId}/tokens/${token('WETH')}/usdPrice`, deadlines.price)

/** Earlier responses that may be cached. */
const findKept = async (): Promise<number[]> => {
  const document = await sendRequest(`${api()}/app_data/${documentHash}`, deadlines.read)
  return [document.status, (await findUsdPrice()).status]
}

const get = async (path: string) => {
  const response = await fetch(stack.info.baseUrl + path)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

let stopLoad = async (): Promise<void> => undefined

/** Sends requests until `stopLoad`; the responses are added to those that it returns. */
const startLoad = (): Answer[] => {
  let stopped = false
  const answers: Answer[] = []
  const faults: unknown[] = []
  const loop = async (request: () => Promise<Answer>, pauseMs: number) => {
    while (!stopped) {
      await request().then(
        (answer) => answers.push(answer),
        (fault) => faults.push(fault),
      )
      await sleep(pauseMs)
    }
  }
  const loops = [
    loop(submit, 700),
    loop(requests.read as () => Promise<Answer>, 200),
    loop(requests.quote as () => Promise<Answer>, 900),
  ]
  stopLoad = async () => {
    stopped = true
    await Promise.all(loops)
    expect(faults).toEqual([])
  }
  return answers
}

/** A quote may be rejected although there is a route, when solvers lost their node: it says that a retry helps. */
const isSound = ({ status, body }: Answer): boolean =>
  [200, 201, 404, 503].includes(status) ||
  (status === 400 && (body.data as { retryable?: boolean })?.retryable === true)

const eventually = async (what: string, check: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + patienceMs; !(await check()); await sleep(200))
    if (Date.now() > deadline) throw new Error(`not in ${patienceMs} ms: ${what}`)
}

/**
 * Solvers whose settlements timed out during the failure are suspended for one minute or two: until then an order fills
 * only once it has waited for some blocks. A limit against hangs: a busy machine takes several times as long as a quiet
 * one.
 */
const recoveryMs = 600_000

const expectRecovery = async (): Promise<void> => {
  await eventually('ready', async () => (await get('/readyz')).status === 200)
  await eventually('an order is taken', async () => (await submit()).status === 201)
  for (const [kind, request] of Object.entries(requests))
    await eventually(`${kind} is answered`, async () => (await request()).status < 500)
  const uid = submissions.findLast((submission) => submission.uid !== undefined)?.uid as string
  await waitForStatus(trader, uid, 'fulfilled', recoveryMs)
}

const slow: ProxyFault = { respondsAfterMs: 10_000 }
/** Responses to each kind of request while a dependency is away. */
const expected = {
  database: { read: 503, submission: 503, quote: 503 },
  chain: { read: 404, submission: 503, quote: 503 },
}
/** Its name in `/readyz`. */
const dependencies = { database: 'database', chain: 'rpc' } as const

/** Of a test that waits for the recovery. */
const timeout = recoveryMs + 900_000

/** Waiting for slow responses takes half a minute: in the long run (`LONG=1`). */
const faults: [description: string, fault: ProxyFault][] = [
  ['is cut off', 'cut'],
  ...(process.env.LONG ? ([['takes ten seconds for every answer', slow]] as [string, ProxyFault][]) : []),
]

describe.each(['database', 'chain'] as const)('%s', (target) => {
  test.each(faults)(
    '%s: every request has a clear response in time, and service resumes afterwards',
    { timeout },
    async (_, fault) => {
      expect(await findKept()).toEqual([200, 200])
      const answers = startLoad()
      await sleep(1_500)
      proxies[target].set(fault)
      await sleep(500)

      for (const [kind, request] of Object.entries(requests)) {
        const answer = await request()
        expect(answer.status, kind).toBe(expected[target][kind as keyof (typeof expected)['chain']])
        if (answer.status === 503) expect(answer.body, kind).toMatchObject({ errorType: 'ServiceUnavailable' })
      }
      expect((await get('/healthz')).status).toBe(200)
      expect(await findKept()).toEqual([200, 200])
      const dependency = { [dependencies[target]]: 'unavailable' }
      const workers = { 'orders-sepolia': { status: 'unavailable', answer: { dependencies: dependency } } }
      await expect.poll(() => get('/readyz'), { timeout: patienceMs }).toMatchObject({ status: 503, body: { workers } })
      await eventually('the status says it', async () => {
        const { status, body } = await get('/status.json')
        const network = (body.networks as { sepolia: { state: string; indexer?: { head: number | null } } }).sepolia
        return (
          status === 200 && (target === 'database' ? network.state === 'unavailable' : network.indexer?.head === null)
        )
      })

      proxies[target].set('open')
      await expectRecovery()
      await stopLoad()
      expect(answers.filter((answer) => !isSound(answer))).toEqual([])
    },
  )

  // `LONG=1`: also the chain, whose failures the simulation has (invariant `responses`)
  const isInRun = target === 'database' || process.env.LONG !== undefined
  test.runIf(isInRun)(
    'comes and goes: every response is correct or a 503, and service resumes afterwards',
    {
      timeout,
    },
    async () => {
      const answers = startLoad()
      await sleep(500)
      proxies[target].set('flapping')
      await sleep(10_000)
      expect((await get('/healthz')).status).toBe(200)
      proxies[target].set('open')
      await expectRecovery()
      await stopLoad()
      expect(answers.filter((answer) => !isSound(answer))).toEqual([])
      expect(answers.some(({ status }) => status < 500)).toBe(true)
    },
  )
})

test('no order is lost, duplicated or incomplete: accepted orders fill once, others can be sent again', async () => {
  expect(submissions.length).toBeGreaterThan(20)
  for (const submission of submissions) {
    const uid = await postSignedOrder(stack.info, privateKey, terms(submission.validTo))
    expect(submission.uid ?? uid).toBe(uid)
    submission.uid = uid
  }
  for (const { uid } of submissions) await waitForStatus(trader, uid as string, 'fulfilled', recoveryMs)
  await expectDatabaseAgreesWithChain(stack)
  const { rows } = await connectDatabase(stack.info.databaseUrl).execute(sql`
    select count(*)::integer as orders, count(e.id)::integer as created, count(a.hash)::integer as documents,
      (select count(*)::integer from trades) as trades
    from orders as o
    left join order_events as e on e.chain_id = o.chain_id and e.order_uid = o.uid and e.label = 'created'
    left join app_data as a on a.hash = o.app_data_hash`)
  const count = submissions.length
  expect(rows).toEqual([{ orders: count, created: count, documents: count, trades: count }])
})

const hasAllFigures = ({ quotes, submissions: taken, auctions, solvers }: NetworkStatus): boolean =>
  taken.count === submissions.length &&
  auctions.fillsLastHour === submissions.length &&
  Number(taken.p99Ms) > 0 &&
  Number(quotes.p50Ms) > 0 &&
  solvers.some(({ wins }) => wins > 0)

test('the status has figures for the whole time', async () => {
  const path = `/${stack.info.network}/status.json`
  await eventually('figures', async () => hasAllFigures((await get(path)).body as NetworkStatus))
})

test('the log has a line for each request, tick and auction, and no signature', async () => {
  const text = logged.join('\n')
  for (const message of ['request', 'tick', 'auction']) expect(text).toContain(`"message":"${message}"`)
  for (const { validTo } of submissions) {
    const { signature } = await signOrder(stack.info, privateKey, terms(validTo))
    expect(text.includes(signature.slice(2))).toBe(false)
  }
})
