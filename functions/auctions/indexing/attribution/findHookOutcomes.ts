import type { Address, Hex } from 'viem'
import type { ChainEvents } from '#schema/queries/chain/chainUpdate.ts'
import { selectInteractions } from '#schema/queries/orders/interactions.ts'
import type { HookOutcome } from '#shared/hooks/hookOutcome.ts'
import { decodeHooks } from '#shared/hooks/readHooks.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { Network } from '#shared/networks.ts'
import { toLowerAddress } from '../../chain/toLowerAddress.ts'
import { type CallFrame, findTrace, visitFrames } from './findTrace.ts'
import type { AttributionDeps, RawSettlement } from './traceNested.ts'

type TradeHooks = ChainEvents['hookOutcomes'][number]

/** Transactions traced for one range of blocks, the newest ones: while the index catches up, old hooks are not recorded. */
const maxTraced = 10

/**
 * What the hooks of traded orders did, from the call traces of their settlements. Best effort: a node that does not
 * trace, or fails, leaves the outcomes unknown and delays nothing.
 * @param settled settlements with orders of winners
 */
export const findHookOutcomes = async (
  deps: AttributionDeps,
  settled: readonly RawSettlement[],
): Promise<TradeHooks[]> => {
  const trampoline = deps.network.hooksTrampoline.slice(2)
  const hooked = settled.filter(({ transaction }) => transaction.input.toLowerCase().includes(trampoline))
  if (hooked.length === 0) return []
  const uids = hooked.flatMap(({ trades }) => trades.map(({ orderUid }) => orderUid))
  const interactions = new Map(
    (await selectInteractions(deps.database, deps.network.chainId, uids)).map(({ uid, ...order }) => [uid, order]),
  )
  const found: TradeHooks[] = []
  for (const settlement of hooked.slice(-maxTraced)) {
    const orders = settlement.trades.flatMap(({ orderUid, blockNumber, logIndex }) => {
      const order = interactions.get(orderUid)
      return order ? [{ ...order, blockNumber, logIndex }] : []
    })
    if (orders.length === 0) continue
    const calls = await findHookCalls(deps, settlement.transaction.hash)
    for (const { preInteractions, postInteractions, blockNumber, logIndex } of orders) {
      const hooks = [
        ...preInteractions.flatMap(({ callData }) => takeOutcomes(calls, 'pre', callData)),
        ...postInteractions.flatMap(({ callData }) => takeOutcomes(calls, 'post', callData)),
      ]
      if (hooks.length > 0) found.push({ blockNumber, logIndex, hooks })
    }
  }
  return found
}

/** Calls of the trampoline by the settlement contract, in order; empty without a trace. */
const findHookCalls = async ({ chain, network, log }: AttributionDeps, hash: Hex): Promise<CallFrame[]> => {
  try {
    const trace = await findTrace(chain, hash)
    const calls: CallFrame[] = []
    if (trace)
      visitFrames(trace, (frame) => {
        const isHooks = isCall(frame, network)
        if (isHooks) calls.push(frame)
        return !isHooks
      })
    return calls
  } catch (error) {
    log({ message: 'hooks not recorded', transaction: hash, cause: describeError(error) })
    return []
  }
}

const isCall = ({ type, from, to }: CallFrame, network: Pick<Network, 'settlementContract' | 'hooksTrampoline'>) =>
  type === 'CALL' &&
  to !== undefined &&
  toLowerAddress(from) === network.settlementContract &&
  toLowerAddress(to) === network.hooksTrampoline

/** Outcomes of the first call with this calldata, which is removed: orders with the same hooks have one call each. */
const takeOutcomes = (calls: CallFrame[], phase: HookOutcome['phase'], callData: Hex): HookOutcome[] => {
  const place = calls.findIndex(({ input }) => input?.toLowerCase() === callData.toLowerCase())
  const [call] = place < 0 ? [] : calls.splice(place, 1)
  const hooks = decodeHooks(callData) ?? []
  const ran = call?.calls ?? []
  if (ran.length !== hooks.length) return []
  return hooks.map(({ target }, hook) => ({ phase, hook, target, outcome: toOutcome(ran[hook], target) }))
}

const toOutcome = (frame: CallFrame | undefined, target: Address): HookOutcome['outcome'] => {
  if (frame?.error !== undefined) return /out\s?of\s?gas/i.test(frame.error) ? 'outOfGas' : 'reverted'
  // the first instruction of a contract that compilers emit costs gas
  const isEmpty = Number(frame?.gasUsed ?? 1) === 0 && frame?.to !== undefined && toLowerAddress(frame.to) === target
  return isEmpty ? 'noCode' : 'succeeded'
}
