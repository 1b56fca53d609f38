import type { AccessList, Address, Hex } from 'viem'
import { type AttemptOrder, selectAttemptOrders } from '#schema/queries/settlements/selectAttemptOrders.ts'
import type { Blame } from '#schema/tables/settlements/settlementAttempts.ts'
import { beforeAbort } from '#shared/chain/calls/beforeAbort.ts'
import { type SimulatedCall, SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import { decodeSettlement } from '../settlement/decodeSettlement.ts'
import { findSettlementAccess } from '../settlement/findSettlementAccess.ts'
import { type FailedPlace, findOrderFault } from './findOrderFault.ts'
import type { SettlingDeps } from './settlingDeps.ts'

/** An attempt that failed. */
export type FailedAttempt = {
  auctionId: number
  solutionUid: number
  solver: Address
  startBlock: number
  /** last block in which it may be settled */
  deadlineBlock: number
  /** block at which the failure became known */
  endBlock: number
  /** block of a reorganisation while it ran */
  undoneFrom: number | null
  /** of its settlement, as revealed; undefined: unknown, for example after a restart */
  calldata: Hex | undefined
}

type BlameDeps = Pick<SettlingDeps, 'network' | 'database' | 'chain' | 'simulate'>

/** Newest blocks of an attempt in which its transaction is searched. */
const searchedBlocks = 8
/** Transactions of a block that are replayed before an order: those closest to the failed one. */
const maxReplayed = 300
const parallelSimulations = 3
const timeoutMs = 4_000

/**
 * Attributes a failed settlement. Each of its orders is simulated alone, where its transaction failed if that was
 * mined, else on the newest state: only what fails alone is to blame. Without such an order the solver is to blame if
 * it sent no transaction although its revealed calldata still succeeds. Everything else has no attributable cause: a
 * third party, such as a pool that moved, never counts against a solver. If it neither sent a transaction nor
 * reported a failure by its deadline, it yields the orders to others (`sentNothing`): it may have made its own calldata
 * fail, and it held the orders at no cost.
 *
 * A transaction that reverted without such a cause cost its solver gas, and an order can distinguish every simulation
 * from a transaction. If all orders have one owner they wait like orders to blame, so that each of them costs solvers
 * log₂(B) + B / 64 + 2 transactions in B blocks. Orders of several owners are settled separately from then on
 * (`computeCertainty`), so the next failure has one owner.
 *
 * When other transactions of the block are the cause (`isMoved`), it weighs little against the solver: a rival may have
 * moved the pool to be left alone with the order. It weighs by the blocks for which the solver held its orders
 * (`movedBlocks`), because the solver may have moved the pool itself. No order without code waits.
 *
 * Orders are replayed behind the transactions that preceded the failed one in its block, so that a signature that is
 * revoked at the start of a block and restored at its end is found.
 * One deadline bounds the judgement. Without it a slow node would delay the clock by its own limits, block by block.
 * @throws Error when the database fails, or the node before the transaction was searched: it is attributed later
 */
export const findBlame = async (deps: BlameDeps, attempt: FailedAttempt): Promise<Blame> => {
  const { network, database, chain, simulate } = deps
  const none = (reason: string, orders: Hex[] = []): Blame => ({ party: 'none', orders, reason })
  if (attempt.undoneFrom !== null) return none(`the chain was reorganised from block ${attempt.undoneFrom}`)
  const signal = AbortSignal.timeout(timeoutMs)
  const orders = await selectAttemptOrders(database, network.chainId, attempt)
  const mined = await beforeAbort(findMined(deps, attempt, orders, signal), signal)
  if (mined?.isSuccess && mined.place.block > attempt.deadlineBlock) {
    const reason = `its transaction ${mined.hash} was mined in block ${mined.place.block}, after its deadline ${attempt.deadlineBlock}`
    return { party: 'solver', orders: [], reason }
  }
  if (mined?.isSuccess) return none(`its transaction ${mined.hash} succeeded`)
  const hasOneOwner = new Set(orders.map(({ owner }) => owner)).size === 1
  const costly = mined && hasOneOwner ? orders.map(({ uid }) => uid) : []
  try {
    const faults = await mapBounded(orders, parallelSimulations, async (order) => ({
      uid: order.uid,
      fault: await findOrderFault({ network, chain, simulate }, order, mined?.place, signal),
    }))
    const faulty = faults.filter(({ fault }) => fault !== undefined)
    const [first] = faulty
    if (first) {
      const reason = `order ${first.uid} fails alone: ${first.fault}`
      return { party: 'orders', orders: faulty.map(({ uid }) => uid), reason }
    }
    if (mined && (await isMoved(deps, mined, signal))) {
      const waiting = (await isWithoutCode(deps, orders, signal)) ? [] : costly
      const heldBlocks = Math.min(attempt.endBlock, attempt.deadlineBlock) - attempt.startBlock
      return {
        ...none(`its transaction ${mined.hash} reverted only behind others of its block`, waiting),
        movedBlocks: Math.max(1, heldBlocks),
      }
    }
    if (mined) return none(`its transaction ${mined.hash} reverted, and no order fails alone`, costly)
    const isHeld = attempt.endBlock >= attempt.deadlineBlock
    const sentNothing = (reason: string): Blame => ({
      ...none(`no transaction, and ${reason}`),
      ...(isHeld ? { sentNothing: true } : {}),
    })
    const { calldata } = attempt
    if (calldata === undefined) return sentNothing('its calldata is not known any more')
    const call = { from: attempt.solver, to: network.settlementContract, data: calldata }
    const succeeds = async (accessList: AccessList): Promise<boolean> => {
      const { results } = await simulate([{ ...call, accessList }], {}, signal)
      return results[0]?.succeeded === true
    }
    const uids = orders.map(({ uid }) => uid)
    const findAccess = () => beforeAbort(findSettlementAccess(deps, uids, calldata), signal)
    const passes = (await succeeds([])) || (await succeeds(await findAccess()))
    if (!passes) return sentNothing('its calldata does not succeed any more')
    const reason = `no transaction up to block ${attempt.endBlock}, although its calldata succeeds`
    return { party: 'solver', orders: [], reason }
  } catch (error) {
    if (error instanceof SimulationError) return none(`not simulated: ${error.reason}`, costly)
    throw error
  }
}

type Mined = { hash: Hex; isSuccess: boolean; call: SimulatedCall; place: FailedPlace }

/** Whether a settlement would have succeeded at the beginning of its block, and fails behind the transactions before it. */
const isMoved = async ({ simulate }: BlameDeps, { call, place }: Mined, signal: AbortSignal): Promise<boolean> => {
  if (place.transactions.length === 0) return false
  const [first, behind] = await Promise.all(
    [[], place.transactions].map((transactions) => simulate([call], {}, signal, { ...place, transactions })),
  )
  return first?.results[0]?.succeeded === true && behind?.results[0]?.succeeded === false
}

/**
 * Whether orders have no code of their own, and tokens with proven prices. After a pool was moved they return with the
 * next block, so that a stranger delays an order for the blocks in which it pays for a transaction, and not for 2ⁿ⁻¹
 * after the n-th. Code distinguishes the two simulations of `isMoved` at no cost. A token that passes for proven costs
 * solvers no more this way than by new orders, whose first failure never waits.
 */
const isWithoutCode = async (
  { chain }: BlameDeps,
  orders: readonly AttemptOrder[],
  signal: AbortSignal,
): Promise<boolean> => {
  if (!orders.every(isPlain)) return false
  for (const order of orders) {
    if (order.buyToken !== nativeSentinel) continue
    const read = chain.request({ method: 'eth_getCode', params: [toBeneficiary(order), 'latest'] })
    const code = await beforeAbort(read, signal)
    if (code !== '0x') return false
  }
  return true
}

/** Signed by a key, without hooks and loans, in tokens with proven prices. */
const isPlain = (order: AttemptOrder): boolean =>
  (order.signingScheme === 'eip712' || order.signingScheme === 'ethsign') &&
  order.preInteractions.length + order.postInteractions.length === 0 &&
  !order.isFunded &&
  order.hasProvenPrices

/**
 * Finds the transaction of an attempt: by its sender, and by the auction and an order in its calldata. One to another
 * contract settles nothing.
 */
const findMined = async (
  { network, chain }: BlameDeps,
  { solver, auctionId, startBlock, endBlock }: FailedAttempt,
  orders: readonly AttemptOrder[],
  signal: AbortSignal,
): Promise<Mined | undefined> => {
  const suffix = auctionId.toString(16).padStart(16, '0')
  const digests = new Set(orders.map(({ uid }) => unpackOrderUid(uid).digest))
  const domain = computeDomainSeparator(network.chainId, network.settlementContract)
  const isOwn = (input: Hex): boolean =>
    input.endsWith(suffix) &&
    (decodeSettlement(input)?.trades ?? []).some(({ order }) => digests.has(computeOrderDigest(domain, order)))
  for (let number = endBlock; number > Math.max(startBlock, endBlock - searchedBlocks); number -= 1) {
    signal.throwIfAborted()
    const block = await chain.getBlock({ blockNumber: BigInt(number), includeTransactions: true })
    const index = block.transactions.findIndex(
      ({ from, to, input }) =>
        from.toLowerCase() === solver && to?.toLowerCase() === network.settlementContract && isOwn(input),
    )
    const transaction = block.transactions[index]
    if (!transaction) continue
    const { status } = await chain.getTransactionReceipt({ hash: transaction.hash })
    const toCall = ({ from, to, input, value, gas, accessList }: typeof transaction): SimulatedCall => ({
      ...{ from, data: input, value, gas },
      ...(to ? { to } : {}),
      ...(accessList ? { accessList } : {}),
    })
    return {
      hash: transaction.hash,
      isSuccess: status === 'success',
      call: toCall(transaction),
      place: {
        ...{ block: number, timestamp: Number(block.timestamp), accessList: transaction.accessList ?? [] },
        transactions: block.transactions.slice(Math.max(0, index - maxReplayed), index).map(toCall),
      },
    }
  }
  return undefined
}
