import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { patientAuctions, startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader

beforeAll(async () => {
  stack = await startTestStack({ vars: { auctions: patientAuctions } })
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  for (const symbol of ['WETH', 'USDC']) await trader.approveRelayer(token(symbol).address)
})

afterAll(() => stack?.stop())

const token = (symbol: string) => findToken(stack.info, symbol)

test('Workers that die after a settlement was sent find it mined, once', async () => {
  const before = await readBalances(trader, token('WETH').address, token('USDC').address)
  await stack.chain.setAutomine(false)
  await stack.chain.setIntervalMining({ interval: 0 })
  const amount = parseUnits('0.2', 18)
  const uid = await postSwap(trader, { kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount })
  const isSent = async () => (await stack.chain.getTxpoolStatus()).pending > 0
  await waitUntil('a settlement waits for a block', isSent, { timeoutMs: patienceMs })
  await stack.workers.kill()
  await stack.chain.mine({ blocks: 1 })
  await stack.workers.start()
  await stack.chain.setIntervalMining({ interval: 2 })
  await waitForStatus(trader, uid, 'fulfilled')
  const after = await readBalances(trader, token('WETH').address, token('USDC').address)
  expect(before.sell - after.sell).toBe(amount)
  await expectAgreement(stack.info, trader, uid, before, after)
})
