import { encodeFunctionData, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectDatabaseAgreesWithChain } from '../helpers/chain/expectDatabaseAgreesWithChain.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader
let salt = 0

const patienceMs = 110_000

beforeAll(async () => {
  stack = await startTestStack()
  trader = connectTrader(stack.info, privateKey())
  for (const symbol of ['WETH', 'USDC']) await trader.approveRelayer(token(symbol).address)
  // rows of the fixture lie deeper than every reorganisation of the test
  await stack.chain.mine({ blocks: 45 })
})

afterAll(() => stack?.stop())

const privateKey = () => stack.info.accounts[0]?.privateKey as Hex
const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}

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

const reorganise = (depth: number) => stack.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
const labelsOf = async (uid: string) => (await findDebugReport(stack.info, uid)).events.map(({ label }) => label)

/** From now on there is a block for each transaction, and no other. */
const mineOnDemand = async () => {
  await stack.chain.setIntervalMining({ interval: 0 })
  await stack.chain.setAutomine(true)
}
const mineOnTime = () => stack.chain.setIntervalMining({ interval: 2 })

const filled: string[] = []

/** `LONG=1`: also close to the deepest supported reorganisation. */
const depths = process.env.LONG ? [1, 5, 40] : [1, 5]

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
