import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Hex, parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { readStackInfo } from '#tools/stack/stackInfo.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type NpmStart, setUpNpmStart } from '../helpers/stack/npmStart.ts'

const own = setUpNpmStart()

const trade = async (): Promise<string> => {
  const stack = readStackInfo(own.dir)
  const trader = connectTrader(stack, stack.accounts[0]?.privateKey as Hex)
  const [sellToken, buyToken] = [stack.tokens.WETH, stack.tokens.USDC]
  if (!sellToken || !buyToken) throw new Error('tokens missing')
  await trader.approveRelayer(sellToken.address)
  const uid = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount: parseUnits('0.1', 18) })
  await waitForStatus(trader, uid, 'fulfilled')
  return uid
}

const findOrders = async (): Promise<string[]> => {
  const stack = readStackInfo(own.dir)
  const url = `${stack.baseUrl}/${stack.network}/api/v1/account/${stack.accounts[0]?.address}/orders`
  return ((await (await fetch(url)).json()) as { uid: string }[]).map(({ uid }) => uid)
}

/** A process of the stack whose file in `/proc` contains a text. */
const findProcess = async (file: 'comm' | 'cmdline', text: string): Promise<number> => {
  const pids = await own.findProcesses()
  const contents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/${file}`, 'utf8')))
  return pids[contents.findIndex((content) => content.includes(text))] ?? 0
}

/** Changes a var of a Worker in its derived configuration, and has the Workers read it. */
const setVar = async (worker: string, name: string, value: string): Promise<void> => {
  const file = join(own.dir, 'workers', worker, 'wrangler.json')
  const config = JSON.parse(await readFile(file, 'utf8')) as { vars: Record<string, string> }
  await writeFile(file, JSON.stringify({ ...config, vars: { ...config.vars, [name]: value } }))
  process.kill(await findProcess('cmdline', 'runMiniflare.ts'), 'SIGHUP')
}

test.each(['PORT', 'RPC_PORT', 'DB_PORT', 'SINKS_PORT'])('a busy %s is one clear line', async (setting) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const run = own.start({ [setting]: String(port) })
  expect(await run.ended).toBe(1)
  expect(run.output().trim()).toBe(`port ${port} is taken: set ${setting} to another port, or to 0 for any free one`)
  await own.waitForEnd()
  server.close()
})

/** ready, with a new folder */
let fresh: NpmStart

test('a restart retains orders and chain, and --fresh starts over', async () => {
  const first = await own.startReady()
  const uid = await trade()
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  await own.waitForEnd()

  const second = await own.startReady()
  expect(await findOrders()).toEqual([uid])
  const uids = [await trade(), uid]
  expect(await findOrders()).toEqual(uids)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)

  fresh = await own.startReady('--fresh')
  expect(await findOrders()).toEqual([])
})

test('the Workers start again with other configurations at the same address', async () => {
  const { baseUrl, network } = readStackInfo(own.dir)
  const readVersion = async () => (await fetch(`${baseUrl}/${network}/api/v1/version`)).text()
  expect(await readVersion()).toBe('development')
  await setVar('edgebook-orders-sepolia', 'VERSION', 'another')
  const isAnother = () => readVersion().then((version) => version === 'another')
  await waitUntil('the other version', isAnother, { timeoutMs: patienceMs })
  await trade()
})

test('a folder in use is one clear error line, and so is a child that dies, which ends the rest', async () => {
  const second = own.start()
  expect(await second.ended).toBe(1)
  expect(second.output().trim()).toMatch(/^process \d+ runs a stack in /)

  process.kill(await findProcess('comm', 'anvil'), 'SIGKILL')
  expect(await fresh.ended).toBe(1)
  expect(fresh.output().trim().split('\n').at(-1)).toMatch(/^anvil was killed by SIGKILL/)
  await own.waitForEnd()
})

test('a killed stack leaves no orphan', async () => {
  const another = await own.startReady()
  expect((await own.findProcesses()).length).toBeGreaterThan(2)
  another.child.kill('SIGKILL')
  await own.waitForEnd()
})
