import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { createTokenlessAccount } from '../helpers/orders/createTrader.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let trader: Trader

beforeAll(async () => {
  stack = await useSharedStack()
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  await trader.approveRelayer(token('WETH').address)
})

afterAll(() => stack?.stop())

const token = (symbol: string) => findToken(stack.info, symbol)

const run = (privateKey: Hex | undefined, network: string) =>
  promisify(execFile)(
    process.execPath,
    [
      ...['tools/canary.ts', stack.info.baseUrl, network, '--buy', token('USDC').address],
      // a busy machine is slow: the limits have a unit test
      ...['--quote', '60000', '--placement', '60000', '--fill', '100'],
    ],
    { env: { ...process.env, CANARY_PRIVATE_KEY: privateKey } },
  )

test('the canary trades a small order and prints its times', async () => {
  const { stdout } = await run(stack.info.accounts[0]?.privateKey, stack.info.network)
  const times = JSON.parse(stdout)
  const measured = expect.any(Number)
  expect(times).toMatchObject({ error: null, quoteMs: measured, placementMs: measured, fillMs: measured })
  expect(await trader.orderBook.getOrder(times.orderUid)).toMatchObject({
    status: 'fulfilled',
    sellToken: token('WETH').address,
    owner: trader.address.toLowerCase(),
  })
})

test('the canary reports what failed', async () => {
  const { privateKey } = await createTokenlessAccount(stack)
  const poor = await run(privateKey, stack.info.network).catch((error: { code: number; stdout: string }) => error)
  expect(poor).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/"orderUid":null,"quoteMs":\d+.*Insufficient/),
  })
  await expect(run(privateKey, 'nowhere')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('has no network nowhere'),
  })
  await expect(run(undefined, stack.info.network)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('CANARY_PRIVATE_KEY'),
  })
})
