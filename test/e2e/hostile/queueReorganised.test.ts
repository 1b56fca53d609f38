import { type Address, type Hex, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { postSignedOrder } from '../../helpers/orders/postSignedOrder.ts'
import { startTestStack } from '../../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader
let salt = 0

beforeAll(async () => {
  stack = await startTestStack()
  trader = connectTrader(stack.info, privateKey())
  await trader.approveRelayer(token('WETH'))
  await stack.chain.mine({ blocks: 5 })
})

afterAll(() => stack?.stop())

const privateKey = () => stack.info.accounts[0]?.privateKey as Hex
const token = (symbol: string): Address => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found.address
}
const request = (method: string, params: unknown[] = []) => stack.chain.request({ method, params } as never)
const countMined = (address: Address) => stack.chain.getTransactionCount({ address })
const solvers = () => stack.info.solvers.map(({ address }) => address)
const patience = { timeoutMs: 60_000 }

/** Posts an order of 0.05 WETH for 50 USDC or more. */
const post = (): Promise<string> => {
  salt += 1
  return postSignedOrder(stack.info, privateKey(), {
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    sellAmount: parseUnits('0.05', 18),
    buyAmount: parseUnits('50', 6),
    validTo: Math.floor(Date.now() / 1000) + 3_600 + salt,
  })
}

const readJson = async (path: string) => {
  const response = await fetch(`${stack.info.baseUrl}${path}`)
  return { status: response.status, text: await response.text() }
}

type Pool = { pending: Record<string, Record<string, unknown>> }

/** Transactions of solvers that wait for a block: account and nonce. */
const findPending = async (): Promise<{ solver: Address; nonce: number }[]> => {
  const { pending } = (await request('txpool_content')) as Pool
  return solvers().flatMap((solver) => {
    const own = Object.entries(pending).find(([address]) => address.toLowerCase() === solver.toLowerCase())?.[1]
    return Object.keys(own ?? {}).map((nonce) => ({ solver, nonce: Number(nonce) }))
  })
}

test('a solver whose transactions a reorganisation drops settles again, with every nonce before it filled', async () => {
  await waitForStatus(trader, await post(), 'fulfilled')
  await stack.chain.setIntervalMining({ interval: 0 })
  await stack.chain.setAutomine(false)
  for (const solver of solvers()) {
    for (let i = 0; i < 2; i += 1) await stack.chain.sendTransaction({ account: solver, to: solver, gas: 21_000n })
  }
  await stack.chain.mine({ blocks: 1 })
  const order = await post()
  await waitUntil('a settlement waits for a block', async () => (await findPending()).length > 0, patience)
  const pending = await findPending()
  await request('anvil_rollback', [1])
  await request('anvil_dropAllTransactions')
  for (const { solver, nonce } of pending) expect(await countMined(solver)).toBeLessThan(nonce)
  await stack.chain.setIntervalMining({ interval: 2 })

  for (const { solver, nonce } of pending)
    await waitUntil(`nonce ${nonce} is used`, async () => (await countMined(solver)) > nonce, patience)
  await waitForStatus(trader, order, 'fulfilled')
  await waitForStatus(trader, await post(), 'fulfilled')
  expect((await readJson('/readyz')).status).toBe(200)
})

test('solvers without ether are red in /readyz and /status.json, propose nothing, and recover once they have some', async () => {
  const balances = await Promise.all(solvers().map((address) => stack.chain.getBalance({ address })))
  for (const address of solvers()) await stack.chain.setBalance({ address, value: 0n })
  await waitUntil('/readyz is red', async () => (await readJson('/readyz')).status === 503, patience)
  const readiness = JSON.parse((await readJson('/readyz')).text)
  expect(readiness.workers['auctions-sepolia'].answer.reasons).toMatchObject({
    'solver direct': expect.stringContaining('holds 0 wei'),
    'solver multihop': expect.stringContaining('holds 0 wei'),
  })
  const readStatus = async () => JSON.parse((await readJson('/status.json')).text)
  await waitUntil('/status.json is red', async () => (await readStatus()).state === 'degraded', patience)
  for (const { fault } of (await readStatus()).networks.sepolia.solvers) expect(fault).toContain('funds: ')
  const before = await Promise.all(solvers().map(countMined))
  const order = await post()
  const head = await stack.chain.getBlockNumber()
  await waitUntil('three blocks', async () => (await stack.chain.getBlockNumber()) >= head + 3n, patience)
  expect(await Promise.all(solvers().map(countMined))).toEqual(before)

  for (const [i, address] of solvers().entries())
    await stack.chain.setBalance({ address, value: balances[i] ?? parseEther('1') })
  await waitUntil('/readyz is green', async () => (await readJson('/readyz')).status === 200, patience)
  await waitUntil('/status.json is green', async () => (await readStatus()).state === 'ok', patience)
  await waitForStatus(trader, order, 'fulfilled')
})
