import { type Address, erc20Abi, type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { openSql, type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { buildSolvingDeps, buildSubmissionDeps, solveAuction } from '#test/helpers/solvers/solvingDeps.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { uniswapV2Abi } from '../pools/uniswapV2Abi.ts'
import { connectSender } from '../sending/connectSender.ts'
import type { EncodedSolution } from '../solutions/findSolutions.ts'
import { repriceSettlement } from '../solutions/repriceSettlement.ts'
import { advanceSubmissions } from './advanceSubmissions.ts'
import { openSettlementStore } from './settlementStore.ts'
import type { SettlementOutcome } from './submission.ts'

/** Settlements while another trader swaps in the same pool with a higher tip. */

const tolerance = 1_000n
const amount = parseEther('0.1')
const rival = devAccounts[5].address

let market: SolverMarket
let snapshot: `0x${string}`
let nonce: number
/** transactions of the rival that the next block must have */
let sent: Hex[]

beforeAll(async () => {
  market = await startSolverMarket()
  const { WETH, USDC } = market.tokens
  for (const [address, whole] of [
    [WETH, parseEther('50')],
    [USDC, 50_000_000_000n],
  ] as const) {
    const args = [rival, whole] as const
    const account = market.trader
    const transfer = { account, chain: null, address, abi: erc20Abi, functionName: 'transfer', args } as const
    // mined before the first snapshot
    await waitForReceipt(market.chain, await market.chain.writeContract(transfer))
  }
})

afterAll(() => market?.stop())

beforeEach(async () => {
  snapshot = await market.chain.snapshot()
  nonce = await market.chain.getTransactionCount({ address: rival })
  sent = []
  await market.chain.setAutomine(false)
})

afterEach(async () => {
  await market.chain.revert({ id: snapshot })
  // no transaction of a removed block may be mined later
  await market.chain.request({ method: 'anvil_dropAllTransactions' as never })
  await market.chain.setAutomine(true)
})

const terms = () => ({ strategy: 'direct', baseTokens: [market.network.wrappedNative], tolerance }) as const

const solveOne = async (changes: Partial<AuctionOrder> = {}, isSettling = false) => {
  const order = await market.signOrder({ sellAmount: amount, ...changes })
  const [solution] = await solveAuction(market, '1', [order], {
    ...terms(),
    isSettling: () => Promise.resolve(isSettling),
  })
  const [fill] = solution?.batches[0]?.fills ?? []
  if (!solution || !fill) throw new Error('no solution')
  return { solution, fill }
}

const openQueue = (solution: EncodedSolution) => {
  const store = openSettlementStore(openSql())
  const outcomes: [number, SettlementOutcome][] = []
  const client = connectSender(market.rpcUrl, market.network.chainId, market.solver)
  const [id = 0] = store.insert('1', [solution])
  const deps = buildSubmissionDeps(market, store, {
    client,
    reprice: async ({ auctionId, draft }, at) =>
      draft && repriceSettlement(client, buildSolvingDeps(market, terms()), { auctionId, draft }, at),
    onOutcome: (...outcome) => outcomes.push(outcome),
  })
  return { deps, id, outcomes, store }
}

/** The rival sells one token for the other in their pool, at the head of the next block. */
const sendRivalSwap = async (tokenIn: Address, tokenOut: Address, sold: bigint) => {
  const { chain, network } = market
  const args = tokenIn < tokenOut ? ([tokenIn, tokenOut] as const) : ([tokenOut, tokenIn] as const)
  const pair = await chain.readContract({
    address: network.uniswapV2Factory,
    abi: uniswapV2Abi,
    functionName: 'getPair',
    args,
  })
  const [reserve0, reserve1] = await chain.readContract({
    address: pair,
    abi: uniswapV2Abi,
    functionName: 'getReserves',
    blockTag: 'latest',
  })
  const [reserveIn, reserveOut] = tokenIn < tokenOut ? [reserve0, reserve1] : [reserve1, reserve0]
  const bought = (sold * 990n * reserveOut) / (reserveIn * 1_000n + sold * 990n)
  const fees = {
    account: rival,
    chain: null,
    gas: 500_000n,
    maxPriorityFeePerGas: 50n * 10n ** 9n,
    maxFeePerGas: 90n * 10n ** 9n,
  }
  const transfer = { address: tokenIn, abi: erc20Abi, functionName: 'transfer', args: [pair, sold] } as const
  sent.push(await chain.writeContract({ ...fees, ...transfer, nonce }))
  const amounts = tokenIn < tokenOut ? ([0n, bought] as const) : ([bought, 0n] as const)
  const swap = { address: pair, abi: uniswapV2Abi, functionName: 'swap', args: [...amounts, rival, '0x'] } as const
  sent.push(await chain.writeContract({ ...fees, ...swap, nonce: nonce + 1 }))
  nonce += 2
}

const mine = async () => {
  await market.chain.mine({ blocks: 1 })
  for (const hash of sent.splice(0)) expect((await market.chain.getTransactionReceipt({ hash })).status).toBe('success')
}
const readBalance = () => market.balanceOf(market.tokens.USDC, market.trader)
const findDeadline = async (blocks: number) => Number(await market.chain.getBlockNumber()) + blocks

test('settles when another trader swaps before it, in the blocks of the auction and of the settlement', async () => {
  const { WETH, USDC } = market.tokens
  const { solution, fill } = await solveOne()
  await sendRivalSwap(WETH, USDC, parseEther('0.01'))
  await mine()
  const { deps, id, outcomes, store } = openQueue(solution)
  store.queue(id, await findDeadline(2))
  expect(await advanceSubmissions(deps)).toBe(true)
  await sendRivalSwap(WETH, USDC, parseEther('0.01'))
  const [before, buffer] = [await readBalance(), await market.balanceOf(USDC, market.network.settlementContract)]
  await mine()
  expect(await advanceSubmissions(deps)).toBe(false)
  expect(outcomes).toEqual([[id, { mined: true }]])
  expect((await readBalance()) - before).toBeGreaterThanOrEqual(fill.executedBuy)
  expect(await market.balanceOf(USDC, market.network.settlementContract)).toBe(buffer)
})

test('gives the trader the output of the pools beyond the proposal', async () => {
  const { WETH, USDC } = market.tokens
  const { solution, fill } = await solveOne()
  await sendRivalSwap(USDC, WETH, 30_000_000_000n)
  await mine()
  const { deps, id, outcomes, store } = openQueue(solution)
  store.queue(id, await findDeadline(2))
  await advanceSubmissions(deps)
  const before = await readBalance()
  await mine()
  await advanceSubmissions(deps)
  expect(outcomes).toEqual([[id, { mined: true }]])
  const received = (await readBalance()) - before
  expect(received).toBeGreaterThan((fill.executedBuy * 1_002n) / 1_000n)
})

test('pays a buy order less than proposed when the price has improved', async () => {
  const { WETH, USDC } = market.tokens
  const order = { sellToken: USDC, buyToken: WETH, sellAmount: 1_000_000_000n, buyAmount: amount }
  const { solution, fill } = await solveOne({ kind: 'buy', ...order })
  const { deps, id, outcomes, store } = openQueue(solution)
  store.queue(id, await findDeadline(2))
  await advanceSubmissions(deps)
  const before = await readBalance()
  await mine()
  await advanceSubmissions(deps)
  expect(outcomes).toEqual([[id, { mined: true }]])
  const paid = before - (await readBalance())
  expect(paid).toBeLessThan(fill.executedSell)
  expect(paid).toBeGreaterThan((fill.executedSell * 999n) / 1_000n)
})

test('fails immediately, and sends nothing, when the pools have moved further', async () => {
  const { WETH, USDC } = market.tokens
  const { solution } = await solveOne()
  await sendRivalSwap(WETH, USDC, parseEther('20'))
  await mine()
  const { deps, id, outcomes, store } = openQueue(solution)
  store.queue(id, await findDeadline(5))
  expect(await advanceSubmissions(deps)).toBe(false)
  expect(outcomes).toEqual([[id, { mined: false, reason: expect.any(String) }]])
  expect(store.find('1', id)?.signed).toBeUndefined()
})

test('computes prices after the pending transactions while settlements of the account are in flight', async () => {
  const { WETH, USDC } = market.tokens
  await sendRivalSwap(WETH, USDC, parseEther('40'))
  const [{ fill: now }, { fill: later }] = [await solveOne(), await solveOne({}, true)]
  expect(later.executedBuy).toBeLessThan((now.executedBuy * 995n) / 1_000n)
  await mine()
  expect((await solveOne()).fill.executedBuy).toBeLessThanOrEqual(later.executedBuy)
})

test('an order without slack is proposed without tolerance', async () => {
  const { fill } = await solveOne()
  const exact = (fill.executedBuy * 1_000_000n) / (1_000_000n - tolerance)
  const { fill: tight } = await solveOne({ buyAmount: exact - 2n })
  expect(tight.executedBuy).toBeGreaterThanOrEqual(exact - 2n)
  const { fill: narrow } = await solveOne({ buyAmount: (exact * 9_997n) / 10_000n })
  expect(narrow.executedBuy).toBeLessThan((exact * 9_998n) / 10_000n)
})
