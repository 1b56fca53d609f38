import { setTimeout as sleep } from 'node:timers/promises'
import { StartTimeValue, TWAP_ADDRESS, Twap } from '@cowprotocol/sdk-composable'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  maxUint256,
  parseUnits,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import type { TestSafe } from '../helpers/chain/safe.ts'
import { deployStrategySafe } from '../helpers/chain/strategySafe.ts'
import { waitUntilPriced } from '../helpers/orders/waitUntilPriced.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

const network = networks.sepolia
/** seconds from part to part; orders end at least 5 s later on this stack */
const period = 16n

type Conditional = {
  state: string
  evaluation: { reason: string } | null
  progress: { parts: number | null; placed: number; filled: number; executedBuyAmount: string }
  parts: { orderUid: Hex; filled: boolean }[]
}

let stack: SharedStack

beforeAll(async () => {
  stack = await useSharedStack()
  await waitUntilPriced(stack, account(3), [token('DAI'), token('USDC')])
})
afterAll(() => stack?.stop())

const account = (index: number) => {
  const found = stack.info.accounts[index]
  if (!found) throw new Error(`no account ${index}`)
  return found
}
const token = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address
const adapter = () =>
  new ViemAdapter({ provider: stack.chain as never, signer: privateKeyToAccount(account(0).privateKey) })

const transfer = (from: Address, to: Address, amount: bigint) =>
  sendFrom(stack.chain, from, {
    to: token('DAI'),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

/** A Safe that has approved the relayer, with DAI from its owner. */
const openSafe = async (index: number, dai: string): Promise<TestSafe> => {
  const owner = account(index)
  const safe = await deployStrategySafe(stack.chain, owner)
  await transfer(owner.address, safe.address, parseUnits(dai, 18))
  const approve = { abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, maxUint256] } as const
  await safe.call(token('DAI'), encodeFunctionData(approve))
  return safe
}

/** The SDK creates a TWAP of four parts of 10 DAI, for USDC at half of the market price. */
const createTwap = async (safe: TestSafe): Promise<Twap> => {
  const data = {
    sellToken: token('DAI'),
    buyToken: token('USDC'),
    receiver: safe.address,
    sellAmount: parseUnits('40', 18),
    buyAmount: parseUnits('20', 6),
    startTime: { startType: StartTimeValue.AT_MINING_TIME } as const,
    numberOfParts: 4n,
    timeBetweenParts: period,
    appData: keccak256(stringToHex('{}')),
  }
  const twap = new Twap({ handler: TWAP_ADDRESS, data }, adapter() as never)
  await safe.call(network.composableCow, twap.createCalldata as Hex)
  return twap
}

const waitFor = async (safe: TestSafe, twap: Twap, isIt: (order: Conditional) => boolean): Promise<Conditional> => {
  const deadline = Date.now() + 180_000
  const url = `${stack.info.baseUrl}/${stack.info.network}/api/v1/conditional_orders/${safe.address}/${twap.id}`
  for (;;) {
    const response = await fetch(url)
    const order = response.ok ? ((await response.json()) as Conditional) : undefined
    if (order && isIt(order)) return order
    if (Date.now() > deadline) throw new Error(`${url}: ${JSON.stringify(order)}`)
    await sleep(500)
  }
}

test('the SDK creates TWAPs of Safes: all parts fill, a removed one ends, one without funds continues when they return', async () => {
  const [whole, removed, unfunded] = [await openSafe(0, '40'), await openSafe(1, '40'), await openSafe(2, '10')]
  const [first, second, third] = [await createTwap(whole), await createTwap(removed), await createTwap(unfunded)]

  await waitFor(removed, second, ({ progress }) => progress.filled >= 1)
  await removed.call(network.composableCow, second.removeCalldata as Hex)
  const ended = await waitFor(removed, second, ({ state }) => state === 'ended')
  expect(ended.evaluation?.reason).toBe('removed')

  await waitFor(unfunded, third, ({ progress }) => progress.filled === 1 && progress.placed === 2)
  await transfer(account(3).address, unfunded.address, parseUnits('30', 18))
  const resumed = await waitFor(unfunded, third, ({ progress }) => progress.filled >= 2)
  expect(resumed.progress.parts).toBe(4)

  const done = await waitFor(whole, first, ({ state }) => state === 'ended')
  expect(done).toMatchObject({ evaluation: { reason: 'finished' }, progress: { parts: 4, placed: 4, filled: 4 } })
  expect(new Set(done.parts.map(({ orderUid }) => orderUid)).size).toBe(4)
  expect(BigInt(done.progress.executedBuyAmount)).toBeGreaterThanOrEqual(parseUnits('20', 6))
  const { progress } = await waitFor(removed, second, () => true)
  expect(progress).toMatchObject({ placed: ended.progress.placed })
  const list = await fetch(
    `${stack.info.baseUrl}/${stack.info.network}/api/v1/conditional_orders?owner=${whole.address}&state=ended`,
  )
  expect(await list.json()).toMatchObject([{ hash: first.id, type: 'twap', owner: whole.address }])
}, 300_000)
