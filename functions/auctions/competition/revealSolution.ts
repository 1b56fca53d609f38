import { type AccessList, BaseError, type Hex } from 'viem'
import { isContractFault } from '#shared/chain/calls/isContractFault.ts'
import { findDataFee } from '#shared/chain/findDataFee.ts'
import { maxTransactionGas } from '#shared/chain/maxTransactionGas.ts'
import { inNextBlock, type NextBlock, toNextBlock } from '#shared/chain/nextBlock.ts'
import { buildTypicalSettlement } from '#shared/fees/buildTypicalSettlement.ts'
import { computeInteractionGas } from '#shared/hooks/computeInteractionGas.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import { type RevealRequestBody, revealResponseSchema } from '#shared/solvers/driverApi.ts'
import { describeFailure, requestSolver, SolverError } from '#shared/solvers/requestSolver.ts'
import { toDriverJson } from '#shared/solvers/toDriverJson.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { Auction } from '../auction.ts'
import { type Amounts, computeShortfalls, noAmounts } from '../settlement/computeShortfalls.ts'
import { type DecodedTrade, decodeSettlement } from '../settlement/decodeSettlement.ts'
import { findSettlementAccess } from '../settlement/findSettlementAccess.ts'
import type { CompetitionDeps } from './competitionDeps.ts'
import { findUnderpaid } from './findUnderpaid.ts'
import type { ScoredSolution } from './scoreSolution.ts'

/** Gas units of a settlement of one order without hooks, through three pools. */
const orderGas = 500_000n
/** Costs that solvers charge differ, and gas prices change between the solution and its check. */
const costTolerance = 2n

/** Time for one response: the calldata exists already. */
const timeoutMs = 1_000
const simulationTimeoutMs = 2_000

/** The calldata of a solution that keeps its promise, or why it does not. */
export type Revealed =
  | { calldata: Hex }
  | {
      fault: string
      /** whether the fault is in the calldata, which the solver alone writes; a revert may have other causes */
      isOwn: boolean
    }

export type RevealDeps = Pick<CompetitionDeps, 'network' | 'chain' | 'solvers'>

/**
 * Requests a solution's calldata (`POST /reveal`) and checks that it keeps the promise: it trades exactly the orders of
 * the solution, pays each at least the promised amounts, and does not revert in the next block, alone or after the pending transactions.
 * Between two orders of one directed pair the promise may differ by network costs alone (`findUnderpaid`).
 *
 * Settlements through wrappers or with a loan cannot be simulated alone; their amounts are checked.
 */
export const revealSolution = async (
  deps: RevealDeps,
  auction: Pick<Auction, 'id' | 'required' | 'orders' | 'prices' | 'feePolicies'>,
  solution: ScoredSolution,
): Promise<Revealed> => {
  const { id, required } = auction
  const solver = deps.solvers.find(({ address }) => address === solution.solver)
  if (!solver) return { fault: 'its solver is not configured', isOwn: true }
  const findingNext = findNextBlock(deps)
  const body: RevealRequestBody = { solutionId: solution.solutionId, auctionId: String(id) }
  const headers = { 'X-Request-Id': body.auctionId }
  const call = { method: 'POST', path: '/reveal', json: toDriverJson(body), headers, timeoutMs } as const
  const response = await requestSolver(solver, call, revealResponseSchema).catch((error: unknown) => {
    if (error instanceof SolverError) return error
    throw error
  })
  if (response instanceof SolverError)
    return { fault: `its calldata is not revealed: ${describeFailure(response)}`, isOwn: true }
  const calldata = response.calldata.internalized
  const fault = findPromiseFault(deps, id, solution, calldata)
  if (fault) return { fault, isOwn: true }
  const unequal = await findUnequal(deps, auction, solution)
  if (unequal) return { fault: unequal, isOwn: false }
  const isWrapped = [...solution.orders.keys()].some((uid) =>
    required.get(uid)?.some((feature) => feature !== 'signedFees'),
  )
  const reason = isWrapped ? undefined : await findRevert(deps, solution, calldata, await findingNext)
  return reason === undefined ? { calldata } : { fault: `its settlement fails: ${reason}`, isOwn: false }
}

/** Why the prices of a solution favour an order; undefined when network costs explain the difference. */
const findUnequal = async (
  { chain, network }: RevealDeps,
  auction: Pick<Auction, 'orders' | 'prices' | 'feePolicies'>,
  solution: ScoredSolution,
): Promise<string | undefined> => {
  const underpaid = findUnderpaid(auction, solution, network.wrappedNative)
  if (!underpaid) return undefined
  const { uid, favoured, wei } = underpaid
  const { preInteractions = [], postInteractions = [] } = auction.orders.get(uid) ?? {}
  const gas = orderGas + computeInteractionGas([...preInteractions, ...postInteractions])
  const findCost = async () => {
    const [gasPrice, dataFee] = await Promise.all([
      chain.getGasPrice(),
      findDataFee(chain, network, buildTypicalSettlement()),
    ])
    return costTolerance * (gas * gasPrice + dataFee)
  }
  const most = await withDeadline(findCost(), simulationTimeoutMs).catch(() => undefined)
  if (most === undefined) return 'the node did not respond with the cost of its orders'
  if (wei <= most) return undefined
  return `order ${uid} gets ${wei} wei less than at the price of order ${favoured} of its pair, of which costs explain ${most}`
}

/** Why calldata does not settle what a solution promises. */
const findPromiseFault = (
  { network }: RevealDeps,
  auctionId: number,
  { orders }: ScoredSolution,
  calldata: Hex,
): string | undefined => {
  const decoded = decodeSettlement(calldata)
  if (!decoded) return 'its calldata is no settlement'
  if (decoded.auctionId !== BigInt(auctionId)) return `its calldata names auction ${decoded.auctionId ?? 'none'}`
  const domain = computeDomainSeparator(network.chainId, network.settlementContract)
  const byDigest = Map.groupBy(orders.keys(), (uid) => unpackOrderUid(uid).digest)
  const settled = new Map<Hex, Amounts>()
  for (const trade of decoded.trades) {
    const { executedSell, executedBuy } = trade
    const digest = computeOrderDigest(domain, trade.order)
    const [first, ...twins] = byDigest.get(digest) ?? []
    // anyone may sign the terms of another owner's order
    const owner = twins.length > 0 ? findOwner(digest, trade) : undefined
    const uid =
      owner === undefined ? first : [first, ...twins].find((twin) => twin && unpackOrderUid(twin).owner === owner)
    if (!uid) return 'its calldata trades an order that the solution lacks'
    const { sellAmount, buyAmount } = settled.get(uid) ?? noAmounts
    settled.set(uid, { sellAmount: sellAmount + executedSell, buyAmount: buyAmount + executedBuy })
  }
  const promised = [...orders].map(([uid, { executedSell, executedBuy }]) => ({ uid, executedSell, executedBuy }))
  const [shortfall] = computeShortfalls({ orders: promised }, settled, () => false)
  if (!shortfall) return undefined
  const describe = (amounts: { sellAmount: string; buyAmount: string } | null) =>
    amounts ? `${amounts.buyAmount} for ${amounts.sellAmount}` : 'nothing'
  return `its calldata pays order ${shortfall.orderUid} ${describe(shortfall.settled)}, promised ${describe(shortfall.promised)}`
}

const findOwner = (digest: Hex, { scheme, signature }: DecodedTrade): string =>
  scheme === 'eip712' || scheme === 'ethsign'
    ? (recoverSigner(scheme, digest, signature).signer ?? '')
    : signature.slice(0, 42)

/** @returns undefined when the node does not respond: the settlement is then simulated with the facts of the newest block */
const findNextBlock = ({ chain, network }: RevealDeps): Promise<NextBlock | undefined> =>
  withDeadline(chain.getBlock(), simulationTimeoutMs).then(
    ({ number, timestamp }) => toNextBlock({ head: number, timestamp }, network.blockTimeSeconds),
    () => undefined,
  )

/**
 * Why the settlement fails in the next block, the first that can contain it, both on the newest state and after the node's
 * pending transactions, among which are the solver's settlements of earlier auctions on this block; undefined when it
 * succeeds. Solvers simulate in the same block. Proxies that get ether are declared, as in the solver's transaction. A node
 * that does not respond in time fails this solution alone, so that one slow call stops no auction.
 */
const findRevert = async (
  { network, chain }: RevealDeps,
  { solver, orders }: ScoredSolution,
  calldata: Hex,
  next: NextBlock | undefined,
): Promise<string | undefined> => {
  const call = { account: solver, to: network.settlementContract, data: calldata, gas: maxTransactionGas }
  const run = (accessList?: AccessList) =>
    inNextBlock(chain, next, (blockOverrides) =>
      chain.call({ ...call, ...(accessList && { accessList }), ...(blockOverrides && { blockOverrides }) }),
    )
  const simulate = async () => {
    try {
      await run()
    } catch (error) {
      if (!isContractFault(error)) throw error
      const accessList = await findSettlementAccess({ network, chain }, orders.keys(), calldata)
      if (accessList.length > 0 && (await succeeds(run(accessList)))) return
      await chain.call({ ...call, accessList, blockTag: 'pending' })
    }
  }
  try {
    await withDeadline(simulate(), simulationTimeoutMs)
    return undefined
  } catch (error) {
    if (!isContractFault(error)) return 'the node did not simulate it'
    return error instanceof BaseError ? error.shortMessage : String(error)
  }
}

/** @throws the error of a call that failed for another reason than a contract's */
const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (!isContractFault(error)) throw error
      return false
    },
  )
