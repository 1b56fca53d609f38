import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { readStackInfo } from '#tools/stack/stackInfo.ts'

/** Each start continues the stack of the one before, which is faster than a new one. */
let dir: string
const started: ChildProcess[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-start-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const waitForEnd = (): Promise<void> =>
  waitUntil('everything has ended', async () => (await findProcesses()).length === 0, { timeoutMs: 60_000 })

const endAll = async (): Promise<void> => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  await waitForEnd()
}

type Run = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

/** `npm start` on any free ports, without npm in between. */
const start = (env: NodeJS.ProcessEnv = {}, ...flags: string[]): Run => {
  const child = spawn(process.execPath, ['tools/start.ts', '--dir', dir, ...flags], {
    env: { ...process.env, PORT: '0', RPC_PORT: '0', DB_PORT: '0', SINKS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) }
}

const startReady = async (...flags: string[]): Promise<Run> => {
  const run = start({}, ...flags)
  await waitUntil('the stack is ready', async () => run.output().includes('edgebook is ready after'), {
    timeoutMs: 240_000,
    ended: run.ended.then(() => run.output()),
  })
  return run
}

/** Processes of this stack: its folder is in their command line or environment. */
const findProcesses = async (): Promise<number[]> => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const texts = await Promise.all(
        ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      )
      return texts.some((text) => text.includes(dir)) ? [pid] : []
    }),
  )
  return found.flat()
}

const trade = async (): Promise<string> => {
  const stack = readStackInfo(dir)
  const trader = connectTrader(stack, stack.accounts[0]?.privateKey as Hex)
  const [sellToken, buyToken] = [stack.tokens.WETH, stack.tokens.USDC]
  if (!sellToken || !buyToken) throw new Error('tokens missing')
  await trader.approveRelayer(sellToken.address)
  const uid = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount: parseUnits('0.1', 18) })
  await waitForStatus(trader, uid, 'fulfilled')
  return uid
}

const findOrders = async (): Promise<string[]> => {
  const stack = readStackInfo(dir)
  const url = `${stack.baseUrl}/${stack.network}/api/v1/account/${stack.accounts[0]?.address}/orders`
  return ((await (await fetch(url)).json()) as { uid: string }[]).map(({ uid }) => uid)
}

/** Output of `npm run demo`. */
const demo = async (): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['tools/demo.ts', '--dir', dir])).stdout

/** Changes a var of a Worker in its derived configuration, and has the Workers read it. */
const setVar = async (worker: string, name: string, value: string): Promise<void> => {
  const file = join(dir, 'workers', worker, 'wrangler.json')
  const config = JSON.parse(await readFile(file, 'utf8')) as { vars: Record<string, string> }
  await writeFile(file, JSON.stringify({ ...config, vars: { ...config.vars, [name]: value } }))
  const pids = await findProcesses()
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')))
  const pid = pids[commands.findIndex((command) => command.includes('runMiniflare.ts'))]
  process.kill(pid ?? 0, 'SIGHUP')
}

/** Three starts and two ends, each of which may take half a minute on a busy machine. */
const restartsTimeoutMs = 900_000

describe('starts and ends', () => {
  test.each(['PORT', 'RPC_PORT', 'DB_PORT', 'SINKS_PORT'])('a busy %s is one clear line', async (setting) => {
    const server: Server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const run = start({ [setting]: String(port) })
    expect(await run.ended).toBe(1)
    expect(run.output().trim()).toBe(`port ${port} is taken: set ${setting} to another port, or to 0 for any free one`)
    await endAll()
    server.close()
  })

  /** ready, with a new folder */
  let fresh: Run
  afterAll(endAll)

  test(
    'a restart keeps orders and chain, --fresh starts over, the demo prints its notifications, and Ctrl-C leaves no process',
    async () => {
      const first = await startReady()
      const uid = await trade()
      first.child.kill('SIGINT')
      expect(await first.ended).toBe(0)
      await waitForEnd()
      expect(() => readStackInfo(dir)).toThrow('npm start')

      const second = await startReady()
      expect(await findOrders()).toEqual([uid])
      const uids = [await trade(), uid]
      expect(await findOrders()).toEqual(uids)
      second.child.kill('SIGTERM')
      expect(await second.ended).toBe(0)

      fresh = await startReady('--fresh')
      expect(await findOrders()).toEqual([])
      const printed = (await demo()).split('\nnotifications of ')[1]
      expect(printed).toMatch(/order_filled +Your order on Sepolia sold 0\.5 WETH for [\d.,]+ USDC\.\n/)
      expect(printed).toMatch(/order_filled +Your order on Sepolia bought 250 DAI for [\d.,]+ USDC\.\n/)
      const { sinksUrl } = readStackInfo(dir)
      expect(printed).toContain(sinksUrl)
      const delivered = async () => {
        const response = await fetch(`${sinksUrl}/messages?channel=webhook`)
        const messages = (await response.json()) as { type: string; verified: boolean | null }[]
        return messages.filter(({ type, verified }) => type === 'order_filled' && verified).length
      }
      await waitUntil('both webhooks', async () => (await delivered()) === 2, { timeoutMs: 60_000 })
    },
    restartsTimeoutMs,
  )

  test('the Workers start again with other configurations at the same address', async () => {
    const { baseUrl, network } = readStackInfo(dir)
    const readVersion = async () => (await fetch(`${baseUrl}/${network}/api/v1/version`)).text()
    expect(await readVersion()).toBe('development')
    await setVar('edgebook-orders-sepolia', 'VERSION', 'another')
    const isAnother = () => readVersion().then((version) => version === 'another')
    await waitUntil('the other version', isAnother, { timeoutMs: 240_000 })
    await trade()
  })

  test('a folder in use is one clear error line, and so is a child that dies, which ends the rest', async () => {
    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.output().trim()).toMatch(/^process \d+ runs a stack in /)

    const pids = await findProcesses()
    const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8')))
    const anvil = pids[names.findIndex((name) => name.trim() === 'anvil')]
    process.kill(anvil ?? 0, 'SIGKILL')
    expect(await fresh.ended).toBe(1)
    expect(fresh.output().trim().split('\n').at(-1)).toMatch(/^anvil was killed by SIGKILL/)
    await waitForEnd()
  })

  test('a killed stack leaves no orphan', async () => {
    const another = await startReady()
    expect((await findProcesses()).length).toBeGreaterThan(2)
    another.child.kill('SIGKILL')
    await waitForEnd()
  })
})
