import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { Client } from 'pg'
import { parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { multicall3Address } from '#shared/networks/multicall3Address.ts'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import type { Network } from '#shared/networks.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { subscribe } from '#tools/demo/subscribe.ts'
import { findPostgresPrograms, startCluster } from '#tools/restore/startCluster.ts'
import { createUniswapV2Pools } from '#tools/stack/chain/contracts/createUniswapV2Pools.ts'
import { deployTestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { deployWrappedNative } from '#tools/stack/chain/contracts/deployWrappedNative.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { fundAccounts } from '#tools/stack/chain/fundAccounts.ts'
import { startAnvil } from '#tools/stack/chain/startAnvil.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { isRunning } from '#tools/stack/processes/isRunning.ts'
import { startReaper } from '#tools/stack/processes/startReaper.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { sinkSettings } from '#tools/stack/sinks/sinkSettings.ts'
import { startSinks } from '#tools/stack/sinks/startSinks.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { createOnServer } from '../helpers/database/server/createOnServer.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type ServeCommand, startServe } from '../helpers/stack/serveCommand.ts'
import { connectSinks } from '../helpers/stack/subscriber.ts'

const root = join(import.meta.dirname, '../..')
const chainId = 424_242
const [trader, operator] = devAccounts
const programs = findPostgresPrograms()

const entry = {
  label: 'Own',
  chainId,
  nativeSymbol: 'OWN',
  wrappedNative: '0x00000000000000000000000000000000f0e160a1',
  usdReference: { address: '0x00000000000000000000000000000000f0e160c1', decimals: 6 },
  uniswapV2Factory: '0x00000000000000000000000000000000f0e160d1',
  blockTimeSeconds: 2,
} as const

const readOwn = (changes: object): Network =>
  (readNetworks(JSON.stringify({ own: { ...entry, ...changes } })) as Record<string, Network>).own as Network

const debugToken = 'token-of-the-operator'
const undo: (() => unknown)[] = []
let dir: string
let database: Client
let stack: StackInfo
let sinks: ReturnType<typeof connectSinks>
let served: ServeCommand

beforeAll(async () => {
  if (!programs) return
  dir = await mkdtemp(join(tmpdir(), 'edgebook-serve-'))
  undo.push(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'logs'))
  const reaper = startReaper()
  undo.push(reaper.close)
  const anvil = await startAnvil({ dir, port: await findPort(0, 'port'), chainId, blockTime: 2, isBare: true, reaper })
  undo.push(anvil.stop)
  const { chain, rpcUrl } = anvil
  const network = readOwn({})
  const tokens = {
    WETH: { address: await deployWrappedNative(chain, network), decimals: 18 },
    ...(await deployTestTokens(chain, network)),
  }
  await createUniswapV2Pools(chain, tokens, network)
  await fundAccounts(chain, tokens, [trader.address])
  const databaseUrl = await openServer()

  const port = await findPort(0, 'port')
  const baseUrl = `http://127.0.0.1:${port}`
  const receiver = await startSinks({ port: await findPort(0, 'port'), baseUrl })
  undo.push(receiver.close)
  const shared = {
    CMS_API_KEY: 'on',
    TELEGRAM_URL: receiver.url,
    TELEGRAM_BOT_TOKEN: sinkSettings.telegramBotToken,
    TELEGRAM_BOT_NAME: sinkSettings.telegramBotName,
    TELEGRAM_WEBHOOK_SECRET: sinkSettings.telegramWebhookSecret,
  }
  const own = {
    SOLVE_TIME_MS: '2000',
    DEBUG_TOKEN: debugToken,
  }
  await writeFile(join(dir, '.env.shared'), toLines(shared))
  await writeFile(join(dir, '.env.own'), toLines(own))
  await runNewChain([
    ...[String(chainId), '--name', 'own', '--rpc', rpcUrl, '--database', databaseUrl, '--port', String(port)],
    ...['--wrapped', entry.wrappedNative, '--usd', entry.usdReference.address, '--v2-factory', entry.uniswapV2Factory],
  ])
  database = new Client({ connectionString: databaseUrl })
  await database.connect()
  undo.push(() => database.end())
  expect(await chain.getCode({ address: multicall3Address })).toBeUndefined()
  const { CONTRACTS = '' } = parseEnv(await readFile(join(dir, '.env.own'), 'utf8'))
  const { settlementContract, vaultRelayer } = readOwn({ contracts: JSON.parse(CONTRACTS) })
  const contracts = { settlement: settlementContract, vaultRelayer } as StackInfo['contracts']
  stack = {
    ...{ baseUrl, sinksUrl: receiver.url, network: 'own', chainId, rpcUrl, databaseEndpoint: '', databaseUrl },
    ...{ contracts, tokens, accounts: [trader], solvers: [] },
  }
  sinks = connectSinks(stack)
  served = startServe(dir, ['own', '--port', String(port)])
  undo.push(() => served.child.kill('SIGKILL'))
}, 240_000)

afterAll(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step()
})

const toLines = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** A database on `TEST_DATABASE_URL`, else on a server of its own. */
const openServer = async (): Promise<string> => {
  const server = process.env.TEST_DATABASE_URL ?? (await startOwnServer())
  const created = await createOnServer(server)
  // `new-chain` creates it again
  await created.drop()
  undo.push(() => created.drop().catch(() => undefined))
  const url = new URL(created.url)
  url.password ||= 'unused'
  return url.href
}

const startOwnServer = async (): Promise<string> => {
  const cluster = await startCluster(programs ?? '')
  undo.push(cluster.stop)
  return cluster.url
}

/** From a chain to a filled order with `npm run new-chain`: a dry run, then the whole, which serves until it is ended. */
const runNewChain = async (args: readonly string[]): Promise<void> => {
  const env = { ...process.env, OPERATOR_PRIVATE_KEY: operator.privateKey }
  const command = [join(root, 'tools/newChain.ts'), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, [...command, '--dry-run'], { cwd: dir, env })
  for (const line of [/at most \d+ gas, 0\.\d+ ETH/, /solver 0x\w+ gets [\d.]+ ETH for gas/, /dry run: then/])
    expect(stdout).toMatch(line)
  expect(existsSync(join(dir, 'networks.json'))).toBe(false)
  const child = spawn(process.execPath, command, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit').then(([code]) => `new-chain ended with ${code}: ${output.slice(-2_000)}`)
  undo.push(() => child.kill('SIGKILL'))
  const isDone = async () => output.includes('What is left')
  await waitUntil('the first order is filled', isDone, { timeoutMs: patienceMs, ended })
  expect(output).toMatch(/"fillMs":\d+,"error":null/)
  child.kill('SIGTERM')
  expect(await ended).toMatch(/^new-chain ended with 0/)
}

const requestStatus = async (path: string, accept = 'application/json'): Promise<[number, string | null]> => {
  const response = await fetch(stack.baseUrl + path, { headers: { Accept: accept } })
  await response.arrayBuffer()
  return [response.status, response.headers.get('Content-Type')]
}

const waitUntilReady = () =>
  waitUntil('it is ready', async () => (await requestStatus('/readyz'))[0] === 200, { timeoutMs: patienceMs })

const findStatus = async (uid: string): Promise<string> => {
  const response = await fetch(`${stack.baseUrl}/own/api/v1/orders/${uid}`, { signal: AbortSignal.timeout(10_000) })
  return ((await response.json()) as { status: string }).status
}

/** Sells 0.1 WETH, for which the pools pay about 300 USDC. */
const buildTerms = (usdc: string): SignableOrder => {
  const [WETH, USDC] = [stack.tokens.WETH, stack.tokens.USDC]
  if (!WETH || !USDC) throw new Error('no tokens')
  const amounts = { sellAmount: parseEther('0.1'), buyAmount: parseUnits(usdc, 6) }
  const terms = { sellToken: WETH.address, buyToken: USDC.address, ...amounts }
  return { ...terms, validTo: Math.floor(Date.now() / 1_000) + 900 + orders++ }
}

const post = (usdc: string): Promise<string> => postSignedOrder(stack, trader.privateKey, buildTerms(usdc))
/** distinguishes equal orders */
let orders = 0

const fill = async (): Promise<void> => {
  const uid = await post('150')
  const isFilled = async () => (await findStatus(uid)) === 'fulfilled'
  await waitUntil('the order is filled', isFilled, { timeoutMs: patienceMs, intervalMs: 250 })
}

const countMessages = async (): Promise<number> => (await sinks.list('?channel=telegram')).length

const waitForMessage = async (before: number): Promise<void> => {
  const hasArrived = async () => (await countMessages()) > before
  await waitUntil('the message arrives', hasArrived, { timeoutMs: patienceMs, intervalMs: 250 })
}

test.skipIf(!programs)('an own network trades: contracts, console, limits, notifications and crons', async () => {
  await served.waitUntilServing(1)
  await waitUntilReady()
  expect(await requestStatus('/', 'text/html')).toEqual([200, 'text/html; charset=utf-8'])
  expect(await requestStatus('/docs', 'text/html')).toEqual([200, 'text/html; charset=utf-8'])
  const limits = (await (await fetch(`${stack.baseUrl}/readyz`)).json()) as object
  expect(JSON.stringify(limits)).toContain('"quotes":"on"')

  await connectTrader(stack, trader.privateKey).approveRelayer(stack.tokens.WETH?.address ?? '0x')
  const chat = await subscribe(stack, trader.privateKey, { channel: 'telegram' })
  await sinks.startChat(chat.link?.split('start=')[1] ?? '')
  const before = await countMessages()
  await fill()
  await waitForMessage(before)

  await fetch(`${stack.baseUrl}/own/api/v1/quote`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ kind: 'sell', from: trader.address, sellAmountBeforeFee: parseEther('0.1').toString() },
      ...{ sellToken: stack.tokens.WETH?.address, buyToken: stack.tokens.USDC?.address },
    }),
  })
  const { rowCount } = await database.query(
    `update quotes set created_at = now() - interval '400 days', expires_at = now() - interval '399 days'`,
  )
  expect(rowCount).toBeGreaterThan(0)
})

const callPause = (method: string, subject: string) =>
  fetch(`${stack.baseUrl}/own/restricted/api/v1/pauses/${subject}`, {
    method,
    headers: { Authorization: `Bearer ${debugToken}`, 'Content-Type': 'application/json' },
    ...(method === 'PUT' && { body: JSON.stringify({ reason: 'a test' }) }),
  })

test.skipIf(!programs)('a pause takes effect and ends without a deployment, and the service stays ready', async () => {
  expect((await callPause('PUT', 'orders')).status).toBe(200)
  // one order, which is accepted once
  const body = JSON.stringify(await signOrder(stack, trader.privateKey, buildTerms('100000')))
  const postAgain = async () => {
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(`${stack.baseUrl}/own/api/v1/orders`, { method: 'POST', headers, body })).text()
  }
  const isRefused = async () => (await postAgain()).includes('Paused')
  await waitUntil('new orders are refused', isRefused, { timeoutMs: 10_000, intervalMs: 500 })
  const readiness = await fetch(`${stack.baseUrl}/readyz`)
  expect([readiness.status, await readiness.text()]).toEqual([200, expect.stringContaining('"pauses":["orders"]')])
  const status = await fetch(`${stack.baseUrl}/own/status.json`)
  expect(await status.json()).toMatchObject({ pauses: [{ subject: 'orders', reason: 'a test' }] })
  expect((await callPause('DELETE', 'orders')).status).toBe(200)
  const isAccepted = async () => !(await postAgain()).includes('Paused')
  await waitUntil('new orders are accepted', isAccepted, { timeoutMs: 10_000, intervalMs: 500 })
})

test.skipIf(!programs)('fees and refunds are read from its Postgres server', async () => {
  const env = { ...process.env, OPERATOR_PRIVATE_KEY: operator.privateKey }
  const run = async (tool: string) =>
    (await promisify(execFile)(process.execPath, [join(root, `tools/${tool}.ts`), 'own'], { cwd: dir, env })).stdout
  expect(await run('fees')).toContain('fees in atoms up to block')
  expect(await run('refunds')).toBe('0 refunded, 0 skipped\n')
})

test.skipIf(!programs)('a killed workerd is started again, with its queue, its clock and its crons', async () => {
  const before = await countMessages()
  await sinks.fail('telegram', { status: 500, times: 1 })
  const uid = await post('100000')
  process.kill(await served.waitUntilServing(1), 'SIGKILL')
  await served.waitUntilServing(2)
  expect(await findStatus(uid)).toBe('open')
  await fill()
  await waitForMessage(before)
  const isCleared = async () =>
    (await database.query(`select 1 from quotes where created_at < now() - interval '300 days'`)).rowCount === 0
  await waitUntil('a cron deletes old quotes', isCleared, { timeoutMs: patienceMs })
})

test.skipIf(!programs)(
  'a killed command takes its children with it, and continues when it is started again',
  async () => {
    const uid = await post('100000')
    const workerd = await served.waitUntilServing(2)
    served.child.kill('SIGKILL')
    await waitUntil('workerd is gone', async () => !isRunning(workerd), { timeoutMs: patienceMs })
    served = startServe(dir, ['own', '--port', new URL(stack.baseUrl).port])
    await served.waitUntilServing(1)
    expect(await findStatus(uid)).toBe('open')
    await fill()
  },
)

/** A request on a connection of its own, of a client of its own. */
const requestOnce = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'X-Real-IP': `203.0.113.${clients++ % 250}` }
    get(stack.baseUrl + path, { agent: false, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    }).once('error', reject)
  })

let clients = 0

test.skipIf(!programs)('an upgrade loses no request, and ends streams so that clients reconnect', async () => {
  const uid = await post('100000')
  const path = `/own/api/v1/orders/${uid}`
  const stream = await fetch(`${stack.baseUrl}${path}/events`, { headers: { Accept: 'text/event-stream' } })
  expect(stream.headers.get('Content-Type')).toContain('text/event-stream')
  const streamed = stream.text()
  const results: unknown[] = []
  let isUpgraded = false
  let unread = 0
  // the former release closes a connection whose request it has not read yet; clients repeat it (RFC 9112, section 9.3.1)
  const repeat = (error: NodeJS.ErrnoException) => {
    unread += 1
    return error.code === 'ECONNRESET' ? requestOnce(path) : Promise.reject(error)
  }
  const load = Promise.all(
    [1, 2].map(async () => {
      while (!isUpgraded) results.push(await requestOnce(path).catch(repeat).catch(String))
    }),
  )
  const former = await served.waitUntilServing(1)
  served.child.kill('SIGHUP')
  expect(await served.waitUntilServing(2)).not.toBe(former)
  await streamed
  const answered = results.length
  await waitUntil('requests reach the new release', async () => results.length > answered + 10, {
    timeoutMs: patienceMs,
  })
  isUpgraded = true
  await load
  expect(new Set(results)).toEqual(new Set([200]))
  expect(unread).toBeLessThanOrEqual(2)
})

test.skipIf(!programs)('SIGTERM completes the requests that have begun, and ends with code 0', async () => {
  const uid = await post('100000')
  await database.query('begin; lock table orders in access exclusive mode')
  const pending = requestOnce(`/own/api/v1/orders/${uid}`)
  const isWaiting = async () =>
    (await database.query(`select 1 from pg_locks where not granted and relation = 'orders'::regclass`)).rowCount !== 0
  await waitUntil('the request waits for the lock', isWaiting, { timeoutMs: patienceMs })
  served.child.kill('SIGTERM')
  const isDraining = async () => served.lines.some((line) => line.startsWith('{"message":"draining"'))
  await waitUntil('the signal arrives', isDraining, { timeoutMs: patienceMs })
  await database.query('commit')
  expect(await pending).toBe(200)
  expect(await served.ended).toBe(0)
})

test.skipIf(!programs || !process.env.LONG)(
  'a service whose clock another process takes ends, and never starts its Workers again',
  async () => {
    served = startServe(dir, ['own', '--port', new URL(stack.baseUrl).port])
    await served.waitUntilServing(1)
    await database.query(`select pg_terminate_backend(l.pid) from pg_locks as l join pg_database as d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`)
    await database.query(`select pg_advisory_lock(hashtextextended('edgebook clock own', 0))`)
    expect(await served.ended).toBe(1)
    expect(served.lines.filter((line) => line.startsWith('{"message":"serving"'))).toHaveLength(1)
  },
)
