import { type Address, getAddress, type Hex } from 'viem'
import { z } from 'zod'
import { toFeePolicyBody } from '#shared/fees/feePolicy.ts'
import { describeError } from '#shared/http/describeError.ts'
import {
  type AuctionOrder,
  type ProposedSolution,
  proposedSolutionSchema,
  revealResponseSchema,
  type SolveRequest,
  solveResponseSchema,
} from '#shared/solvers/driverApi.ts'
import { requestQuote } from '#shared/solvers/requestQuote.ts'
import { describeMismatch, requestSolver, SolverError } from '#shared/solvers/requestSolver.ts'
import { connectSolvers, type Solver } from '#shared/solvers/solverList.ts'
import { toDriverJson } from '#shared/solvers/toDriverJson.ts'
import { findExecutionFault } from '../../functions/auctions/competition/findExecutionFault.ts'
import { decodeSettlement } from '../../functions/auctions/settlement/decodeSettlement.ts'
import { decodeRevert } from '../../functions/solver/solutions/findRevertReason.ts'
import type { CheckMarket } from './openMarket.ts'
import { probeAccepted, probeNotice, probeRefusal } from './probe.ts'
import type { Report } from './report.ts'

const auctionMs = 4_000
const settleMs = 60_000
/** blocks that a settlement has */
const deadlineBlocks = 20n

/**
 * Checks a driver.
 * @param settles whether the driver uses the chain of `market`, so that its calldata can be simulated and settled
 */
export const checkDriver = async (
  url: string,
  market: CheckMarket,
  report: Report,
  settles: boolean,
): Promise<void> => {
  const address = `0x${'00'.repeat(20)}` as const
  const [driver] = connectSolvers([{ name: 'checked', address, url }], {}) as [Solver]
  const { network } = market

  for (const kind of ['sell', 'buy'] as const) {
    const what = `quote of a ${kind}`
    const query = { sellToken: network.wrappedNative, buyToken: network.usdReference.address, kind }
    const amount = kind === 'sell' ? 10n ** 17n : 300_000_000n
    try {
      await requestQuote(driver, { ...query, amount }, { now: Date.now, timeoutMs: auctionMs })
      report.ok(what)
    } catch (error) {
      if (error instanceof SolverError && error.kind === 'QuotingFailed') report.note(what, error.message)
      else report.fault(what, describeFailure(error))
    }
  }

  let auctionId = 0
  let settleable: { auctionId: string; solution: ProposedSolution } | undefined
  const solve = async (what: string, orders: AuctionOrder[]): Promise<void> => {
    auctionId += 1
    const id = String(auctionId)
    const headers = { 'X-Request-Id': id, 'X-Auction-Id': id }
    const body = toBody(market.buildAuction(id, orders, auctionMs))
    try {
      const call = { method: 'POST', path: '/solve', body, headers, timeoutMs: auctionMs } as const
      const { solutions } = await requestSolver(driver, call, solveResponseSchema)
      if (solutions.length === 0) return report.note(what, 'no solution')
      const faults = solutions.flatMap((raw) => {
        const { success, data, error } = proposedSolutionSchema.safeParse(raw)
        if (!success) return [describeMismatch(error)]
        const fault = findFault(data, orders)
        if (!fault) settleable ??= { auctionId: id, solution: data }
        return fault ? [`solution ${data.solutionId}: ${fault}`] : []
      })
      for (const fault of faults) report.fault(what, fault)
      if (faults.length === 0) report.ok(what, `${solutions.length} solutions`)
    } catch (error) {
      report.fault(what, describeFailure(error))
    }
  }
  const orders = await market.signOrders()
  for (const [name, order] of Object.entries(orders)) await solve(name, [order])
  await solve('all orders together', Object.values(orders))
  await solve('an auction without orders', [])

  if (settleable) await checkSettlement(driver, market, report, settleable, settles)
  else report.note('a settlement', 'not checked, there is no solution')

  const solveUrl = `${driver.baseUrl}/solve`
  const write = (changes: object) =>
    JSON.stringify({ ...toBody(market.buildAuction('90', Object.values(orders), auctionMs)), ...changes })
  await probeAccepted(report, 'an auction with unknown fields', solveUrl, write({ later: { field: 1 } }))
  await probeRefusal(report, 'a body that is not JSON', solveUrl, '{"id":')
  await probeRefusal(report, 'a body without fields', solveUrl, '{}')
  const changes = { kind: 'delta', base: '89', updatedOrders: [], removedOrders: [], orders: undefined }
  await probeRefusal(report, 'changes of an auction that it does not hold', solveUrl, write(changes))
  const late = write({ deadline: '2020-01-01T00:00:00Z' })
  await probeRefusal(report, 'an auction whose deadline has passed', solveUrl, late)
  await probeRefusal(
    report,
    'calldata of an unknown solution',
    `${driver.baseUrl}/reveal`,
    '{"auctionId":"1","solutionId":999999}',
  )
  const rejection = { auctionId: '1', solutionId: 1, kind: 'rejected', reason: 'a check' }
  await probeNotice(report, driver.baseUrl, rejection)
  await probeAccepted(report, 'an auction afterwards', solveUrl, write({}))
}

const checkSettlement = async (
  driver: Solver,
  market: CheckMarket,
  report: Report,
  { auctionId, solution }: { auctionId: string; solution: ProposedSolution },
  settles: boolean,
): Promise<void> => {
  const { solutionId, submissionAddress } = solution
  const headers = { 'X-Request-Id': auctionId }
  const json = toDriverJson({ solutionId, auctionId })
  const call = { method: 'POST', headers, timeoutMs: settleMs } as const
  try {
    const revealed = await requestSolver(driver, { ...call, path: '/reveal', json }, revealResponseSchema)
    const calldata = revealed.calldata.internalized as Hex
    const decoded = decodeSettlement(calldata)
    if (decoded?.auctionId !== BigInt(auctionId))
      return report.fault('its calldata', `is no settlement of auction ${auctionId}`)
    report.ok('its calldata')
    if (!settles) return report.note('a settlement', 'not checked: name the node of the driver with --rpc-url')
    await market.allow(submissionAddress)
    const reason = await findRevert(market, submissionAddress, calldata)
    if (reason !== undefined) return report.fault('a simulation of its calldata', reason)
    const head = await market.chain.getBlockNumber()
    const submissionDeadlineLatestBlock = Number(head + deadlineBlocks)
    const order = toDriverJson({ solutionId, auctionId, submissionDeadlineLatestBlock })
    await requestSolver(driver, { ...call, path: '/settle', json: order }, z.unknown())
    report.ok('a settlement')
  } catch (error) {
    report.fault('a settlement', describeFailure(error))
  }
}

const findRevert = async ({ client, network }: CheckMarket, account: Address, data: Hex) => {
  try {
    await client.call({ account: getAddress(account), to: network.settlementContract, data })
    return undefined
  } catch (error) {
    return decodeRevert(error) ?? describeError(error)
  }
}

const findFault = ({ orders: executions }: ProposedSolution, orders: readonly AuctionOrder[]): string | undefined => {
  for (const [uid, execution] of Object.entries(executions)) {
    const order = orders.find((each) => each.uid === uid)
    const executed = { executedSellAmount: 0n, executedBuyAmount: 0n, executedFeeAmount: 0n }
    const fault = order && findExecutionFault(execution, { ...order, ...executed })
    if (fault) return `order ${uid}: ${fault}`
  }
  return undefined
}

const describeFailure = (error: unknown): string =>
  error instanceof SolverError ? `${error.kind}: ${error.message}` : describeError(error)

/** The body as the order book sends it: amounts as text. */
const toBody = ({ orders, ...auction }: SolveRequest): object =>
  JSON.parse(
    JSON.stringify(
      {
        kind: 'full',
        ...auction,
        orders: orders.map(({ protocolFees, ...order }) => ({
          ...order,
          protocolFees: protocolFees.map((policy) => toFeePolicyBody(policy, order.owner)),
        })),
      },
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    ),
  )
