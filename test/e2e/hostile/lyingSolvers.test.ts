import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import type { SolveRequestBody } from '#shared/solvers/driverApi.ts'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, type Token, waitForStatus } from '#tools/demo/swap.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import type { DebugReport } from '../../../functions/debug/report/toDebugReport.ts'
import { startTestDriver, type TestDriver } from '../../helpers/solvers/testDriver.ts'
import { patientAuctions, startTestStack } from '../../helpers/stack/testStack.ts'

type AuctionOrder = SolveRequestBody['orders'][number]

const names = ['exaggerates', 'hangs', 'pretends', 'refuses', 'cheats'] as const
type Name = (typeof names)[number]
const addresses: Record<Name, Address> = {
  exaggerates: devAccounts[1].address,
  hangs: devAccounts[2].address,
  pretends: devAccounts[3].address,
  refuses: devAccounts[4].address,
  cheats: devAccounts[5].address,
}
/** Seconds of a winner to settle, two blocks of the network. */
const deadlineSeconds = 24
/** Milliseconds: 3 pairs, one bad solver (docs/solvers.md), blocks of a second, and a busy machine. */
const patienceMs = 90_000

let stack: Stack
let trader: Trader
let drivers: Record<Name, TestDriver>
/** the participating one */
let active: Name | undefined
/** orders received by a driver, by UID */
const seen = new Map<string, AuctionOrder>()
const won = new Map<string, AuctionOrder>()
let size = 100n

/** Above honest solutions but plausible; `exaggerates`: implausible. */
const claimOf = (name: Name, { buyAmount }: AuctionOrder): bigint =>
  name === 'exaggerates' ? BigInt(buyAmount) * 10n ** 6n : (BigInt(buyAmount) * 11n) / 10n

const start = (name: Name) =>
  startTestDriver({
    name,
    address: addresses[name],
    execute: () => undefined,
    solve: ({ id, orders }) => ({
      solutions: (active === name ? orders : []).slice(0, 3).map((order, solutionId) => {
        seen.set(order.uid, order)
        won.set(`${id}:${solutionId}`, order)
        const { kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy } = order
        const executed = { executedSell: limitSell, executedBuy: claimOf(name, order).toString() }
        const execution = { side, sellToken, buyToken, limitSell, limitBuy, ...executed }
        return { solutionId, submissionAddress: addresses[name], score: '0', orders: { [order.uid]: execution } }
      }),
    }),
    settle: async ({ auctionId, solutionId }) => {
      if (name === 'hangs') await new Promise(() => undefined)
      if (name === 'refuses') throw new Error('no, thank you')
      const order = won.get(`${auctionId}:${solutionId}`)
      if (name === 'cheats' && order) await settleAtLimit(BigInt(auctionId), order)
    },
  })

/** Pays the owner the limit from funds of the settlement contract. */
const settleAtLimit = async (auctionId: bigint, order: AuctionOrder) => {
  const tokens = { sellToken: order.sellToken as Address, buyToken: order.buyToken as Address }
  const amounts = { sellAmount: BigInt(order.sellAmount), buyAmount: BigInt(order.buyAmount) }
  const data = encodeSettlement({
    auctionId,
    uniformPrices: new Map([
      [tokens.sellToken, amounts.buyAmount],
      [tokens.buyToken, amounts.sellAmount],
    ]),
    trades: [
      {
        order: {
          ...order,
          ...tokens,
          ...amounts,
          receiver: (order.receiver ?? zeroAddress) as Address,
          appDataHash: order.appData as Hex,
          feeAmount: 0n,
          sellTokenBalance: 'erc20',
          buyTokenBalance: 'erc20',
        },
        owner: order.owner as Address,
        scheme: 'eip712',
        signature: order.signature as Hex,
        executedSell: amounts.sellAmount,
        executedBuy: amounts.buyAmount,
      },
    ],
    interactions: { pre: [], intra: [], post: [] },
  })
  await sendFrom(stack.chain, addresses.cheats, { to: stack.info.contracts.settlement, data })
}

const tokenOf = (symbol: string): Token => {
  const token = stack.info.tokens[symbol]
  if (!token) throw new Error(`no token ${symbol}`)
  return token
}

/** Honest orders on three pairs, each of another size. */
const postThree = async (): Promise<string[]> => {
  const uids: string[] = []
  for (const symbol of ['USDC', 'DAI', 'COW']) {
    size += 1n
    const pair = { sellToken: tokenOf('WETH'), buyToken: tokenOf(symbol) }
    uids.push(await postSwap(trader, { kind: 'sell', ...pair, amount: parseUnits('0.0001', 18) * size }))
  }
  return uids
}
const waitForFills = (uids: string[]) =>
  Promise.all(uids.map((uid) => waitForStatus(trader, uid, 'fulfilled', patienceMs)))

const findSolver = async (name: Name): Promise<NetworkStatus['solvers'][number] | undefined> => {
  const response = await fetch(`${stack.info.baseUrl}/sepolia/status.json`)
  const { solvers } = (await response.json()) as NetworkStatus
  return solvers.find((solver) => solver.name === name)
}
const waitFor = async <T>(find: () => Promise<T | null | undefined>): Promise<T> => {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const found = await find()
    if (found) return found
    if (Date.now() > deadline) throw new Error('the condition did not come true')
    await sleep(250)
  }
}
const findReport = async (uid: string): Promise<DebugReport> =>
  (await (await fetch(`${stack.info.baseUrl}/sepolia/api/v1/debug/order/${uid}`)).json()) as DebugReport
/** Attempts to settle the order, without those of other orders of its auctions. */
const outcomesOf = async (uid: string) =>
  (await findReport(uid)).auctions.flatMap(({ settlementAttempts, proposedSolutions }) =>
    settlementAttempts.filter((attempt) =>
      proposedSolutions.some(({ solutionUid }) => solutionUid === attempt.solutionUid),
    ),
  )

beforeAll(async () => {
  drivers = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await start(name)] as const)),
  ) as typeof drivers
  stack = await startTestStack({
    blockTime: 1,
    extraSolvers: Object.values(drivers).map(({ solver: { name, address, baseUrl } }) => ({
      name,
      address,
      url: baseUrl,
    })),
    vars: { auctions: { ...patientAuctions, SUBMISSION_DEADLINE_SECONDS: String(deadlineSeconds) } },
  })
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  await trader.approveRelayer(tokenOf('WETH').address)
  for (const symbol of ['USDC', 'DAI', 'COW']) {
    const { address, decimals } = tokenOf(symbol)
    const args = [stack.info.contracts.settlement, parseUnits('10000', decimals)] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await sendFrom(stack.chain, devAccounts[7].address, { to: address, data })
  }
})

afterAll(async () => {
  await stack?.stop()
  await Promise.all(Object.values(drivers ?? {}).map(({ stop }) => stop()))
})

test('a claim of a million times the limit never wins, and its solver receives the reason', async () => {
  active = 'exaggerates'
  const uids = await postThree()
  await waitForFills(uids)
  expect(uids.some((uid) => seen.has(uid))).toBe(true)
  expect(drivers.exaggerates.settled).toEqual([])
  const [notice] = drivers.exaggerates.notified
  expect(notice).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('times the known rate') })
  const response = await fetch(`${stack.info.baseUrl}/sepolia/api/v2/solver_competition/${notice?.auctionId}`)
  expect((await response.json()) as object).toMatchObject({
    leftOut: [{ solverAddress: addresses.exaggerates, kind: 'rejected' }],
  })
})

test.each(['hangs', 'pretends', 'refuses'] as const)(
  'a solver that wins every pair and %s delays honest orders by one failed win each',
  async (name) => {
    active = name
    const uids = await postThree()
    await waitForFills(uids)
    const attempts = (await Promise.all(uids.map(outcomesOf))).flat().filter(({ solver }) => solver === addresses[name])
    expect(attempts.length).toBeGreaterThan(0)
    expect(attempts.every(({ outcome }) => outcome !== 'success')).toBe(true)
    for (const uid of uids) {
      const ofOrder = (await outcomesOf(uid)).filter(({ solver }) => solver === addresses[name])
      expect(ofOrder.length).toBeLessThanOrEqual(1)
    }
  },
)

test('a solver that pays the limit instead of its promise is recorded with both amounts and suspended', async () => {
  active = 'cheats'
  const uids = [...(await postThree()), ...(await postThree())]
  await waitForFills(uids)
  const suspension = await waitFor(async () => (await findSolver('cheats'))?.suspension)
  expect(suspension).toMatchObject({ reason: 'mismatch' })
  // it has never settled a win as promised, so one failure is enough
  expect(suspension.failures).toBeGreaterThanOrEqual(1)
  const reports = await Promise.all(uids.map((uid) => findReport(uid)))
  const cheated = reports.flatMap((report) =>
    report.auctions
      .filter(({ settlementAttempts }) => settlementAttempts.some(({ outcome }) => outcome === 'mismatch'))
      .map((auction) => ({ report, auction })),
  )
  expect(cheated.length).toBeGreaterThanOrEqual(1)
  for (const { report, auction } of cheated) {
    const order = seen.get(report.orderUid) as AuctionOrder
    const attempt = auction.settlementAttempts.find(({ mismatch }) => mismatch?.[0]?.orderUid === report.orderUid)
    if (!attempt) continue
    expect(attempt.mismatch).toEqual([
      {
        orderUid: report.orderUid,
        promised: { sellAmount: order.sellAmount, buyAmount: claimOf('cheats', order).toString() },
        settled: { sellAmount: order.sellAmount, buyAmount: order.buyAmount },
      },
    ])
    expect(report.trades).toMatchObject([{ auctionId: auction.id, buyAmount: order.buyAmount }])
  }
  await waitFor(async () => drivers.cheats.notified.some(({ kind }) => kind === 'suspended'))
  // its driver receives no more requests until the suspension is over
  const asked = drivers.cheats.solved.length
  await waitForFills(await postThree())
  const isSuspended = ({ deadline }: SolveRequestBody) =>
    Date.parse(deadline) - Number(patientAuctions.SOLVE_TIME_MS) < Date.parse(suspension.until)
  expect(drivers.cheats.solved.slice(asked).filter(isSuspended)).toEqual([])
})
