import type { AccessList, Hex } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import { createPayoutAccess } from '#shared/chain/calls/createPayoutAccess.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { computeNextGasPrice } from '#shared/chain/findNextGasPrice.ts'
import { toNextBlock } from '#shared/chain/nextBlock.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { SolutionId, SolveRequest } from '#shared/solvers/driverApi.ts'
import { maxCallDataBytes } from '#shared/solvers/driverApi.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import type { OrderFill } from '../fills/buildFill.ts'
import { findPools } from '../pools/findPools.ts'
import { memoizePaths } from '../routing/memoizePaths.ts'
import { describeShortage, findSendingTerms } from '../sending/findSendingTerms.ts'
import { findFunds } from '../solutions/findFunds.ts'
import { findHookedFunds } from '../solutions/findHookedFunds.ts'
import { findRevertReason } from '../solutions/findRevertReason.ts'
import { listPayees, readPrices, type SolvingDeps } from '../solutions/findSolutions.ts'
import { isSettleable } from '../solutions/isSettleable.ts'
import { buildEngineAuction, listTokens } from './buildEngineAuction.ts'
import { buildEngineOrder } from './buildEngineOrder.ts'
import { buildEngineSolution, type EngineMarket, type EngineProposal } from './buildEngineSolution.ts'
import { sumAllowances } from './buildInteractions.ts'
import { listPools } from './buildLiquidity.ts'
import type { Engine } from './connectEngine.ts'
import { EngineFault, type EngineSolution, toFailureNotice } from './engineApi.ts'
import { findTakenTokens } from './findTakenTokens.ts'
import { findAllowances, findTokenFacts } from './findTokenFacts.ts'
import { readEngineSolutions } from './readEngineSolutions.ts'

/** part of the time to the deadline at which an engine must have responded; the rest is for simulations */
const engineShare = 0.65
/** number of simulated solutions, best score first */
const maxSimulated = 20
/** contracts that a solution may call and trade, whose balances are compared */
const maxTouchedTokens = 60

export type EngineDeps = Omit<SolvingDeps, 'tolerance' | 'isSettling' | 'turns'> & {
  engine: Engine
  /** clock, Unix milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
}

/** A simulated solution of an engine. */
export type EncodedEngineSolution = {
  engineId: SolutionId
  batches: { fills: OrderFill[] }[]
  /** wei */
  score: bigint
  calldata: Hex
  accessList: AccessList
}

/**
 * Finds the solutions of an engine for an auction, as a driver of the public system does: sends the orders and the
 * pools, builds a settlement of each solution, and simulates it as it would be sent. The engine is notified of each
 * solution that is left out, and why.
 * @param report receives each solution once its simulation has passed
 * @param background continues notifications after the response
 * @throws DriverError when the engine responded with an error; viem errors when the node fails
 */
export const findEngineSolutions = async (
  client: ChainClient,
  deps: EngineDeps,
  auction: SolveRequest,
  report: (solution: EncodedEngineSolution) => void,
  background: (work: Promise<unknown>) => void,
): Promise<void> => {
  const { network, engine, now, log, solver } = deps
  const start = now()
  let notified = Promise.resolve()
  const notify = (id: SolutionId | null, { notice, message }: EngineFault): void => {
    log({ message: 'solution of the engine rejected', auctionId: auction.id, id: String(id), reason: message })
    // one at a time, so that an engine that does not respond to notices delays no simulation
    notified = notified.then(() => engine.notify(auction.id, id, notice))
    background(notified)
  }
  const orders = auction.orders.filter((order) => isSettleable(order, start))
  const buildPaths = memoizePaths(network.wrappedNative, deps.strategy, deps.baseTokens)
  const paths = new Set(orders.flatMap(({ sellToken, buyToken }) => buildPaths(sellToken, buyToken)))
  const factories = { uniswapV2Factory: deps.factory, uniswapV3Factory: network.uniswapV3.factory }
  const terms = await findSendingTerms(client, solver)
  const facts = deps.memory.recall({ number: BigInt(terms.head), hash: terms.hash })
  const findPayoutAccess = createPayoutAccess(client, network.settlementContract)
  const [found, plainFunds, hookedFunds] = await Promise.all([
    findPools(client, factories, paths, { blockNumber: BigInt(terms.head) }, facts.pools, terms.head),
    findFunds(client, network.vaultRelayer, orders, terms.head),
    findHookedFunds(deps.simulate, network, orders, terms.head),
    findPayoutAccess(listPayees(orders)),
  ])
  const shortage = describeShortage(terms)
  if (shortage !== undefined) {
    console.error(JSON.stringify({ message: 'no solutions: settlements cannot be paid for', cause: shortage }))
    const required = String(terms.maxFeePerGas * terms.gas)
    return notify(null, new EngineFault({ kind: 'solverAccountInsufficientBalance', required }, shortage))
  }
  const funds = new Map([...plainFunds, ...hookedFunds])
  const offered = orders.flatMap((order) => {
    const body = buildEngineOrder(order, funds, network.wrappedNative)
    return body ? [{ order, body }] : []
  })
  if (offered.length === 0) return
  const bodies = offered.map(({ body }) => body)
  const pools = listPools(found)
  const tokens = await findTokenFacts(client, network.settlementContract, listTokens(bodies, pools))
  const deadlineMs = Math.floor(start + Math.max(0, (Date.parse(auction.deadline) - start) * engineShare))
  const gasPrice = computeNextGasPrice(terms)
  const body = buildEngineAuction(auction, { network, orders: bodies, pools, tokens, gasPrice, deadlineMs })
  const solutions = await requestSolutions(deps, body, deadlineMs, notify)
  const market: EngineMarket = {
    auctionId: BigInt(auction.id),
    network,
    orders: new Map(offered.map(({ order }) => [order.uid, order])),
    pools,
    prices: readPrices(auction, deps),
    allowed: await findAllowances(
      client,
      network.settlementContract,
      solutions.flatMap(({ interactions }) => sumAllowances(interactions)),
    ),
  }
  const proposals = solutions.flatMap((solution) => {
    try {
      return [checkBounds(buildEngineSolution(solution, market))]
    } catch (error) {
      notify(solution.id, toFault(error))
      return []
    }
  })
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = terms
  const simulate = async (proposal: EngineProposal): Promise<void> => {
    const { engineId, fills, score, calldata, touched } = proposal
    const payees = listPayees(fills.map(({ order }) => order))
    const accessList = [...(await findPayoutAccess(payees)).values()].flat()
    const call = { to: network.settlementContract, data: calldata, accessList, gas, maxFeePerGas, maxPriorityFeePerGas }
    const taking = findTakenTokens(deps.simulate, network, { ...call, from: solver }, touched)
    // why it reverts comes first
    taking.catch(() => undefined)
    const next = toNextBlock(terms, network.blockTimeSeconds)
    const reason = await findRevertReason(client, { ...call, account: solver }, next)
    if (reason !== undefined) {
      const tx = { from: solver, to: call.to, input: calldata, value: '0', accessList }
      const notice = { kind: 'simulationFailed', block: terms.head, tx, succeededOnce: false } as const
      return notify(engineId, new EngineFault(notice, `reverts: ${reason}`))
    }
    const taken = await taking
    if (taken.length > 0) {
      const notice = { kind: 'nonBufferableTokensUsed', tokens: taken } as const
      return notify(engineId, new EngineFault(notice, `takes ${taken.join(', ')} from the settlement contract`))
    }
    report({ engineId, batches: [{ fills }], score, calldata, accessList })
  }
  const best = proposals.toSorted((a, b) => compareDescending(a.score, b.score)).slice(0, maxSimulated)
  const outcomes = await Promise.allSettled(best.map(simulate))
  const failure = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failure && outcomes.every(({ status }) => status === 'rejected')) throw failure.reason
}

/** @throws DriverError, and SolverError on any other failure of the engine */
const requestSolutions = async (
  { engine, now }: EngineDeps,
  body: Parameters<Engine['solve']>[0],
  deadlineMs: number,
  notify: (id: SolutionId | null, fault: EngineFault) => void,
): Promise<EngineSolution[]> => {
  try {
    return readEngineSolutions(await engine.solve(body, deadlineMs - now()), notify)
  } catch (error) {
    if (!(error instanceof SolverError)) throw error
    notify(null, new EngineFault(toFailureNotice(error), `${error.kind}: ${error.message}`))
    return []
  }
}

const checkBounds = (proposal: EngineProposal): EngineProposal => {
  const bytes = (proposal.calldata.length - 2) / 2
  if (bytes > maxCallDataBytes) {
    throw new EngineFault({
      kind: 'driverError',
      reason: `has ${bytes} bytes of calldata, at most ${maxCallDataBytes}`,
    })
  }
  const { length } = proposal.touched
  if (length > maxTouchedTokens) {
    throw new EngineFault({ kind: 'driverError', reason: `calls ${length} contracts, at most ${maxTouchedTokens}` })
  }
  return proposal
}

/** An input that no check foresees fails its own solution only. */
const toFault = (error: unknown): EngineFault =>
  error instanceof EngineFault
    ? error
    : new EngineFault({ kind: 'driverError', reason: error instanceof Error ? error.message.slice(0, 200) : 'unknown' })
