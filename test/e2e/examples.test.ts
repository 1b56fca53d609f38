import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { deploySafe } from '../helpers/chain/safe.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

const folder = join(import.meta.dirname, '../../examples')
/** An interpreter with `eth_account`: that of `PYTHON`, or of the PATH. */
const python = process.env.PYTHON ?? 'python3'
const hasEthAccount = (() => {
  try {
    execFileSync(python, ['-c', 'import eth_account'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let stack: SharedStack
const running: ChildProcess[] = []

beforeAll(async () => {
  stack = await useSharedStack()
})
afterAll(async () => {
  for (const child of running) if (child.kill()) await once(child, 'exit')
  await stack?.stop()
})

/** Starts an example with an account of its own. */
const start = (account: number, file: string, args: string[] = [], changes: NodeJS.ProcessEnv = {}): ChildProcess => {
  const { baseUrl, rpcUrl, accounts } = stack.info
  const env = { BASE_URL: baseUrl, RPC_URL: rpcUrl, PRIVATE_KEY: accounts[account]?.privateKey, ...changes }
  const program = file.endsWith('.py') ? python : process.execPath
  const child = spawn(program, [join(folder, file), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  return child
}
/** @returns the lines of an example that ended without an error */
const run = async (...args: Parameters<typeof start>): Promise<string[]> => {
  const child = start(...args)
  const lines: string[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(line))
  const [code] = await once(child, 'close')
  expect({ file: args[1], code, lines }).toMatchObject({ code: 0 })
  return lines
}
const filled = /^fulfilled 0x[0-9a-f]{112} \d+$/

describe('the examples run from their text', () => {
  test('trade.ts sells the wrapped native token from an account that only has the native one', async () => {
    const [line] = await run(0, 'trade.ts', [], { PARTNER: stack.info.accounts[5]?.address })
    expect(line).toMatch(filled)
  })

  test('limit.ts places an order above the market and cancels it', async () => {
    const [simulated, placed, cancelled] = await run(1, 'limit.ts')
    expect(simulated).toContain('fillable now: false')
    expect(placed).toMatch(/^open /)
    expect(cancelled).toMatch(/^cancelled /)
  })

  test('eth.ts sells ether by one transaction', async () => {
    expect((await run(2, 'eth.ts')).at(-1)).toMatch(filled)
  })

  test('affiliate.ts registers a code, and an order names it', async () => {
    expect(await run(3, 'affiliate.ts', ['EXAMPLE'])).toEqual(['registered EXAMPLE'])
    expect((await run(4, 'trade.ts', [], { REFERRER: 'EXAMPLE' }))[0]).toMatch(filled)
  })

  test('webhook.ts receives the fill of an order', async () => {
    const child = start(5, 'webhook.ts', [], { PORT: String(await findPort(0, 'PORT')) })
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toMatch(/^subscribed /)
    const [line] = await run(5, 'trade.ts')
    expect((await lines.next()).value).toBe(`order_filled ${line?.split(' ')[1]}`)
  })

  test('twap.ts sells the tokens of a Safe in two parts', async () => {
    const owner = await createTrader(stack)
    const safe = await deploySafe(stack.chain, owner)
    const args = [safe.address, parseEther('0.02')] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await sendFrom(stack.chain, owner.address, { to: findToken(stack.info, 'WETH').address, data })
    const lines = await run(0, 'twap.ts', [], { PRIVATE_KEY: owner.privateKey, SAFE: safe.address, PERIOD: '20' })
    expect(lines.at(-1)).toBe('ended finished 2 of 2')
  })

  test.skipIf(!hasEthAccount)('trade.py sells the wrapped native token', async () => {
    expect((await run(6, 'trade.py'))[0]).toMatch(filled)
  })
})
