import type { Address, Hex } from 'viem'
import type { WinningSolution } from '#schema/queries/auctions/solutions.ts'
import { forgetOldest } from '#shared/forgetOldest.ts'
import { describeError } from '#shared/http/describeError.ts'
import { findAllowedSolvers } from '../../chain/findAllowedSolvers.ts'
import { type DecodedSettlement, decodeSettlement } from '../../settlement/decodeSettlement.ts'
import type { RawChainEvents } from '../findChainEvents.ts'
import type { IndexingDeps } from '../indexingDeps.ts'
import { findSettleCalls, type SettleCall } from './findSettleCalls.ts'

export type AttributionDeps = Pick<IndexingDeps, 'network' | 'database' | 'chain' | 'log'>

/** Failed traces by transaction: an untraceable transaction must not stop the clock. */
export type TraceFailures = Map<Hex, number>

/** A settlement with its trades, before attribution. */
export type RawSettlement = RawChainEvents['settlements'][number] & { trades: RawChainEvents['trades'] }

/** Origin of a settlement: its decoded `settle` call and its solver. */
export type Origin = { solver: Address; decoded: DecodedSettlement | undefined }

const maxTraceFailures = 3
/** Transactions whose failures are counted; a reorganisation may remove one before it is traced again. */
const maxCounted = 100

/** Traces transactions that trade an order of a winner; all others are foreign in any case. */
export const traceNested = async (
  deps: AttributionDeps,
  failures: TraceFailures,
  nested: readonly RawSettlement[],
  winners: readonly WinningSolution[],
): Promise<Map<RawSettlement, Origin>> => {
  const origins = new Map<RawSettlement, Origin>()
  const won = new Set(winners.flatMap(({ orders }) => orders.map(({ uid }) => uid)))
  const promising = nested.filter(({ trades }) => trades.some(({ orderUid }) => won.has(orderUid)))
  for (const hash of new Set(promising.map(({ transaction }) => transaction.hash))) {
    const calls = await traceBounded(deps, failures, hash)
    const ofTransaction = nested.filter(({ transaction }) => transaction.hash === hash)
    if (calls?.length !== ofTransaction.length) {
      deps.log({ message: 'settlement not attributed', transaction: hash, calls: calls?.length ?? null })
      continue
    }
    const callers = [...new Set(calls.flatMap((call) => call.callers))]
    const allowed = await findAllowedSolvers(deps, { authenticator: undefined }, callers)
    for (const [i, settlement] of ofTransaction.entries()) {
      const call = calls[i]
      if (call) origins.set(settlement, toOrigin(call, settlement, allowed))
    }
  }
  return origins
}

/** The solver is the first allow-listed account on the path to the call. */
const toOrigin = (
  { input, callers }: SettleCall,
  { solver }: RawSettlement,
  allowed: ReadonlySet<Address>,
): Origin => ({ decoded: decodeSettlement(input), solver: callers.find((caller) => allowed.has(caller)) ?? solver })

/** @returns undefined when the node does not support tracing, or failed too often for this transaction */
const traceBounded = async (
  { chain, network, log }: AttributionDeps,
  failures: TraceFailures,
  hash: Hex,
): Promise<SettleCall[] | undefined> => {
  try {
    const calls = await findSettleCalls(chain, network.settlementContract, hash)
    failures.delete(hash)
    return calls
  } catch (error) {
    const failed = (failures.get(hash) ?? 0) + 1
    failures.delete(hash)
    if (failed < maxTraceFailures) {
      failures.set(hash, failed)
      forgetOldest(failures, maxCounted)
      throw error
    }
    log({ message: 'settlement cannot be traced', transaction: hash, cause: describeError(error) })
    return undefined
  }
}
