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
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { defaultHarshOptions } from '#tools/stack/chain/harsh/harshOptions.ts'
import { startHarshChain } from '#tools/stack/chain/harsh/startHarshChain.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { delegateAccount } from '../helpers/chain/conditionalAccount.ts'
import { deployStrategySafe } from '../helpers/chain/strategySafe.ts'
import { createAccounts } from '../helpers/orders/createTrader.ts'
import { waitUntilPriced } from '../helpers/orders/waitUntilPriced.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { patientAuctions, patientQuotes, startTestStack } from '../helpers/stack/testStack.ts'

// blocks of this network take two seconds, and so do those of the test
const network = networks.base
const blockSeconds = 2
/** seconds from part to part; the test moves the time of the chain to the next one */
const period = 600n

/** An account that owns a conditional order. */
type Owner = { address: Address; call: (to: Address, data: Hex) => Promise<void> }

type Conditional = {
  state: string
  evaluation: { reason: string } | null
  progress: { parts: number | null; placed: number; filled: number; executedBuyAmount: string }
  parts: { orderUid: Hex; filled: boolean }[]
}

let stack: Stack
let accounts: readonly DevAccount[] = []
let harsh: Awaited<ReturnType<typeof startHarshChain>> | undefined

beforeAll(async () => {
  const vars = { quotes: patientQuotes, auctions: patientAuctions }
  stack = await startTestStack({ networks: ['base'], blockTime: 3_600, vars })
  await stack.chain.setAutomine(true)
  accounts = await createAccounts(stack, 5)
  await waitUntilPriced(stack, account(3), [token('DAI'), token('USDC')])
})
afterAll(async () => {
  await harsh?.stop()
  await stack?.stop()
})

const account = (index: number) => {
  const found = accounts[index]
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

const openSafe = (index: number): Promise<Owner> => deployStrategySafe(stack.chain, account(index), network)

/** A plain account, which delegates to a contract without a state. */
const openPlain = async (index: number): Promise<Owner> => {
  const { address } = account(index)
  await delegateAccount(stack.chain, account(index))
  return { address, call: (to, data) => sendFrom(stack.chain, address, { to, data }) }
}

/** The SDK creates a TWAP of four parts of 10 DAI, for USDC at half of the market price. */
const createTwap = async (owner: Owner, dai: string): Promise<Twap> => {
  await transfer(account(3).address, owner.address, parseUnits(dai, 18))
  const approve = { abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, maxUint256] } as const
  await owner.call(token('DAI'), encodeFunctionData(approve))
  const data = {
    sellToken: token('DAI'),
    buyToken: token('USDC'),
    receiver: owner.address,
    sellAmount: parseUnits('40', 18),
    buyAmount: parseUnits('20', 6),
    startTime: { startType: StartTimeValue.AT_MINING_TIME } as const,
    numberOfParts: 4n,
    timeBetweenParts: period,
    appData: keccak256(stringToHex('{}')),
  }
  const twap = new Twap({ handler: TWAP_ADDRESS, data }, adapter() as never)
  await owner.call(network.composableCow, twap.createCalldata as Hex)
  return twap
}

const waitFor = async (owner: Owner, twap: Twap, isIt: (order: Conditional) => boolean): Promise<Conditional> => {
  const deadline = Date.now() + patienceMs
  const url = `${stack.info.baseUrl}/${stack.info.network}/api/v1/conditional_orders/${owner.address}/${twap.id}`
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    const order = response?.ok ? ((await response.json()) as Conditional) : undefined
    if (order && isIt(order)) return order
    if (Date.now() > deadline) throw new Error(`${url}: ${JSON.stringify(order)}`)
    await sleep(500)
  }
}
/** A reorganisation replaces the block of a trade, and perhaps the one before it, by empty ones. */
const undoTrade = async (orderUid: Hex | undefined): Promise<void> => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/trades?orderUid=${orderUid}`)
  const [trade] = (await response.json()) as { blockNumber: number }[]
  if (!trade) throw new Error(`no trade of ${orderUid}`)
  // a block may come meanwhile
  const depth = Number(await stack.chain.getBlockNumber()) - trade.blockNumber + 2
  await stack.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
}
const waitForFills = (owner: Owner, twap: Twap, filled: number) =>
  waitFor(owner, twap, ({ progress }) => progress.filled === filled)

test('the SDK creates TWAPs of Safes and of a plain account, whose parts fill on a harsh chain, through a restart and a reorganisation', {
  timeout: 8 * patienceMs,
}, async () => {
  const [whole, removed, unfunded] = [await openSafe(0), await openSafe(1), await openSafe(2)]
  const plain = await openPlain(4)
  const ofWhole = await createTwap(whole, '40')
  const start = Number((await stack.chain.getBlock()).timestamp)
  const ofRemoved = await createTwap(removed, '40')
  const ofUnfunded = await createTwap(unfunded, '10')
  const ofPlain = await createTwap(plain, '40')
  const latest = Number((await stack.chain.getBlock()).timestamp)
  expect(latest - start).toBeLessThan(Number(period) / 2)
  harsh = await startHarshChain(stack.chain, stack.info, { ...defaultHarshOptions, blockSeconds })
  /** The next blocks are in the part of all of them; the first is 0. */
  const moveToPart = async (part: number) => {
    await stack.chain.setNextBlockTimestamp({ timestamp: BigInt(latest) + BigInt(part) * period })
    await stack.chain.mine({ blocks: 3 })
  }

  for (const [owner, twap] of [
    [whole, ofWhole],
    [removed, ofRemoved],
    [unfunded, ofUnfunded],
    [plain, ofPlain],
  ] as const)
    await waitForFills(owner, twap, 1)
  await removed.call(network.composableCow, ofRemoved.removeCalldata as Hex)
  const ended = await waitFor(removed, ofRemoved, ({ state }) => state === 'ended')
  expect(ended.evaluation?.reason).toBe('removed')

  // the second part becomes valid while nothing runs
  await stack.workers.kill()
  await moveToPart(1)
  await stack.workers.start()
  await waitForFills(plain, ofPlain, 2)
  await waitForFills(whole, ofWhole, 2)
  await waitFor(unfunded, ofUnfunded, ({ progress }) => progress.filled === 1 && progress.placed === 2)

  await moveToPart(2)
  await undoTrade((await waitForFills(whole, ofWhole, 3)).parts[0]?.orderUid)
  await transfer(account(3).address, unfunded.address, parseUnits('30', 18))
  await waitForFills(unfunded, ofUnfunded, 2)
  await waitForFills(plain, ofPlain, 3)
  await waitForFills(whole, ofWhole, 3)

  await moveToPart(3)
  await waitForFills(unfunded, ofUnfunded, 3)
  await waitForFills(plain, ofPlain, 4)
  await waitForFills(whole, ofWhole, 4)
  await moveToPart(4)
  for (const [owner, twap] of [
    [whole, ofWhole],
    [plain, ofPlain],
  ] as const) {
    const done = await waitFor(owner, twap, ({ state }) => state === 'ended')
    expect(done).toMatchObject({ evaluation: { reason: 'finished' }, progress: { parts: 4, placed: 4, filled: 4 } })
    expect(new Set(done.parts.map(({ orderUid }) => orderUid)).size).toBe(4)
    expect(BigInt(done.progress.executedBuyAmount)).toBeGreaterThanOrEqual(parseUnits('20', 6))
  }
  const { progress } = await waitFor(removed, ofRemoved, () => true)
  expect(progress).toMatchObject({ placed: ended.progress.placed, filled: 1 })
  const list = await fetch(
    `${stack.info.baseUrl}/${stack.info.network}/api/v1/conditional_orders?owner=${whole.address}&state=ended`,
  )
  expect(await list.json()).toMatchObject([{ hash: ofWhole.id, type: 'twap', owner: whole.address }])
})
