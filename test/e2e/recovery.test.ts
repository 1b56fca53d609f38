import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, type Hex, parseEther, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectDatabaseAgreesWithChain } from '../helpers/chain/expectDatabaseAgreesWithChain.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { patientAuctions, startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader
let salt = 0

const patience = { timeoutMs: patienceMs }
const polling = { timeout: patienceMs }

beforeAll(async () => {
  stack = await startTestStack({ vars: { auctions: patientAuctions } })
  trader = connectTrader(stack.info, privateKey())
  for (const symbol of ['WETH', 'USDC']) await trader.approveRelayer(token(symbol).address)
})

afterAll(() => stack?.stop())

const privateKey = () => stack.info.accounts[0]?.privateKey as Hex
const token = (symbol: string) => findToken(stack.info, symbol)

/** Posts an order of 0.05 WETH for `usdc` or more; each is another one. */
const post = (usdc = '50'): Promise<string> => {
  salt += 1
  return postSignedOrder(stack.info, privateKey(), {
    sellToken: token('WETH').address,
    buyToken: token('USDC').address,
    sellAmount: parseUnits('0.05', 18),
    buyAmount: parseUnits(usdc, 6),
    validTo: Math.floor(Date.now() / 1000) + 3_600 + salt,
  })
}
const fill = async (): Promise<string> => {
  const uid = await post()
  await waitForStatus(trader, uid, 'fulfilled', patienceMs)
  return uid
}

const request = (method: string, params: unknown[] = []) => stack.chain.request({ method, params } as never)
const reorganise = (depth: number) => request('anvil_reorg', [depth, []])
const labelsOf = async (uid: string) => (await findDebugReport(stack.info, uid)).events.map(({ label }) => label)

const pauseMining = async () => {
  await stack.chain.setAutomine(false)
  await stack.chain.setIntervalMining({ interval: 0 })
}
const resumeMining = async () => {
  await stack.chain.setIntervalMining({ interval: 2 })
}

const countPending = async (): Promise<number> => {
  const { pending } = await stack.chain.getTxpoolStatus()
  return pending
}

/** Posts a swap without mining, and kills the Workers once its settlement waits in the mempool. */
const killBetweenSolveAndSettlement = async (): Promise<string> => {
  await pauseMining()
  const uid = await postSwap(trader, {
    kind: 'sell',
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    amount: parseUnits('0.2', 18),
  })
  const deadline = Date.now() + 60_000
  while ((await countPending()) === 0) {
    if (Date.now() > deadline) throw new Error('no settlement was sent')
    await sleep(50)
  }
  await stack.workers.kill()
  return uid
}

describe('Workers that die between solve and settlement', () => {
  afterEach(() => resumeMining())

  test('send a lost settlement again during its auction, and it happens once', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uid = await killBetweenSolveAndSettlement()
    await request('anvil_dropAllTransactions')
    expect(await countPending()).toBe(0)
    await stack.workers.start()
    // sent before the next block, which may be the last one of the auction
    await waitUntil('the settlement is sent again', async () => (await countPending()) > 0, patience)
    await resumeMining()
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    await expectAgreement(stack.info, trader, uid, before, after)
  })
})

/** From now on there is a block for each transaction, and no other. */
const mineOnDemand = async () => {
  await stack.chain.setIntervalMining({ interval: 0 })
  await stack.chain.setAutomine(true)
}
const mineOnTime = () => stack.chain.setIntervalMining({ interval: 2 })

describe('reorganisations', () => {
  beforeAll(async () => {
    await mineOnTime()
    // rows of the fixture and of earlier tests lie deeper than every reorganisation
    await stack.chain.mine({ blocks: 45 })
  })

  const filled: string[] = []

  /**
   * The simulation undoes one to five blocks (`trades`, `invalidations`, `public`, `fills`). `LONG=1`: also the newest
   * block alone, and close to the deepest supported reorganisation.
   */
  const depths = process.env.LONG ? [1, 5, 40] : [5]

  test.each(depths)(
    'a reorganisation of %i blocks while trading is undone and repeated, and all data agrees',
    async (depth) => {
      const hopeless = await post('1000000')
      filled.push(await fill())
      await mineOnDemand()
      const invalidate = { abi: settlementAbi, functionName: 'invalidateOrder', args: [hopeless as Hex] } as const
      const data = encodeFunctionData(invalidate)
      await stack.chain.sendTransaction({ account: trader.address, to: stack.info.contracts.settlement, data })
      await waitForStatus(trader, hopeless, 'cancelled', patienceMs)
      const last = await fill()
      filled.push(last)
      const trades = () => trader.orderBook.getTrades({ orderUid: last })
      const [undone] = await trades()

      // other transactions are pending at the time
      filled.push(await post())
      await reorganise(depth)
      filled.push(await post())
      await mineOnTime()
      await waitForStatus(trader, hopeless, depth > 1 ? 'open' : 'cancelled', patienceMs)
      // the newest first: once its fill is indexed, so is the reorganisation, and no earlier fill is an undone one
      for (const uid of filled.toReversed()) await waitForStatus(trader, uid, 'fulfilled', patienceMs)
      await expectDatabaseAgreesWithChain(stack)
      for (const uid of filled) expect((await labelsOf(uid)).filter((label) => label === 'traded')).toHaveLength(1)
      const labels = await labelsOf(hopeless)
      expect(labels.includes('cancelled')).toBe(depth === 1)
      // the solver broadcasts the same transaction again
      expect((await trades())[0]?.blockNumber).toBeGreaterThan(Number(undone?.blockNumber))
    },
  )

  const countMined = (address: Address) => stack.chain.getTransactionCount({ address })
  const solvers = () => stack.info.solvers.map(({ address }) => address)

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
    await waitUntil('/readyz is green', async () => (await readJson('/readyz')).status === 200, patience)
  })

  test('solvers without ether are red in /readyz and /status.json, propose nothing, and recover once they have some', async () => {
    const balances = await Promise.all(solvers().map((address) => stack.chain.getBalance({ address })))
    for (const address of solvers()) await stack.chain.setBalance({ address, value: 0n })
    const readReadiness = async () => {
      const { status, text } = await readJson('/readyz')
      return { status, reasons: JSON.parse(text).workers['auctions-sepolia'].answer.reasons }
    }
    const holdsNothing = expect.stringContaining('holds 0 wei')
    const reasons = { 'solver direct': holdsNothing, 'solver multihop': holdsNothing }
    await expect.poll(readReadiness, polling).toMatchObject({ status: 503, reasons })
    const readStatus = async () => JSON.parse((await readJson('/status.json')).text)
    const readFaults = async () => {
      const { state, networks } = await readStatus()
      return [state, ...networks.sepolia.solvers.map(({ fault }: { fault: string | null }) => fault)]
    }
    const fault = expect.stringContaining('funds: ')
    await expect.poll(readFaults, polling).toEqual(['degraded', ...solvers().map(() => fault)])
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
})
