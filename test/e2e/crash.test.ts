import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, type Hex, http, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectAgreement, readBalances } from '../helpers/expectAgreement.ts'
import { startTestStack } from '../helpers/testStack.ts'

let stack: Stack
let trader: Trader

beforeAll(async () => {
  stack = await startTestStack()
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  await trader.approveRelayer(token('WETH').address)
})

afterEach(() => resumeMining())
afterAll(() => stack?.stop())

const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}
const node = () => createTestClient({ mode: 'anvil', transport: http(stack.info.rpcUrl) })

const pauseMining = async () => {
  await node().setAutomine(false)
  await node().setIntervalMining({ interval: 0 })
}
const resumeMining = async () => {
  await node().setIntervalMining({ interval: 1 })
}

const countPending = async (): Promise<number> => {
  const { pending } = await node().getTxpoolStatus()
  return pending
}

/** Posts a swap while no block is mined, and kills the Workers once its settlement waits in the mempool. */
const killBetweenSolveAndSettlement = async (): Promise<string> => {
  await pauseMining()
  const uid = await postSwap(trader, {
    kind: 'sell',
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    amount: parseUnits('0.2', 18),
  })
  const deadline = Date.now() + 30_000
  while ((await countPending()) === 0) {
    if (Date.now() > deadline) throw new Error('no settlement was sent')
    await sleep(50)
  }
  await stack.workers.kill()
  return uid
}

describe('the Workers die between solve and settlement', () => {
  test('a settlement that is mined meanwhile is found, once', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uid = await killBetweenSolveAndSettlement()
    await node().mine({ blocks: 1 })
    await stack.workers.start()
    await resumeMining()
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    expect(before.sell - after.sell).toBe(parseUnits('0.2', 18))
    await expectAgreement(stack.info, trader, uid, before, after)
  })

  test('a settlement that is lost is sent again while its auction lasts, and happens once', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uid = await killBetweenSolveAndSettlement()
    await node().request({ method: 'anvil_dropAllTransactions' as never })
    expect(await countPending()).toBe(0)
    await stack.workers.start()
    await resumeMining()
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    await expectAgreement(stack.info, trader, uid, before, after)
  })

  test('a settlement that is lost until its deadline times out, and the order fills in a later auction, once', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uid = await killBetweenSolveAndSettlement()
    await node().request({ method: 'anvil_dropAllTransactions' as never })
    await node().mine({ blocks: 10 })
    await stack.workers.start()
    await resumeMining()
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    expect(before.sell - after.sell).toBe(parseUnits('0.2', 18))
    const report = await findDebugReport(stack.info, uid)
    const outcomes = report.auctions.flatMap((auction) => auction.settlementAttempts.map(({ outcome }) => outcome))
    expect(outcomes.at(0)).toMatch(/^(timeout|driver failed: )/)
    expect(outcomes.at(-1)).toBe('success')
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1)
    expect(report.trades).toHaveLength(1)
  })
})

describe('the Workers are killed at any moment', () => {
  test('orders posted around kills are each filled exactly once', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const uids: string[] = []
    for (const pause of [50, 400, 1100]) {
      uids.push(
        await postSwap(trader, {
          kind: 'sell',
          sellToken: token('WETH'),
          buyToken: token('USDC'),
          amount: parseUnits('0.1', 18),
        }),
      )
      await sleep(pause)
      await stack.workers.kill()
      await stack.workers.start()
    }
    for (const uid of uids) await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    expect(before.sell - after.sell).toBe(parseUnits('0.3', 18))
    for (const uid of uids) expect((await findDebugReport(stack.info, uid)).trades).toHaveLength(1)
  })
})
