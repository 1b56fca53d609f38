import type { AccessList, Address } from 'viem'
import { decodeRevertReason } from '#shared/chain/calls/decodeRevertReason.ts'
import { isTransferAccepted } from '#shared/chain/calls/isTransferAccepted.ts'
import { readSingleWord } from '#shared/chain/calls/readWord.ts'
import type { Simulate, SimulatedCall, StateOverrides } from '#shared/chain/calls/simulateCalls.ts'
import type { Network } from '#shared/networks.ts'
import { buildBalanceRead, buildPayout, buildPull } from '#shared/rehearsal/settlementSteps.ts'
import type { Interaction } from '#shared/solvers/encodeSettlement.ts'

/** A trade as its settlement executes it. */
export type RehearsedTrade = {
  owner: Address
  beneficiary: Address
  sellToken: Address
  buyToken: Address
  sellAmount: bigint
  buyAmount: bigint
  /** calls of the settlement contract before the sell tokens come in, and after */
  interactions: { pre: readonly Interaction[]; intra: readonly Interaction[] }
  payoutAccess: AccessList
}

/** `transfer`: of the sell token from the owner; `payout`: of the buy token to the receiver */
export type FailingStep = { step: 'transfer' | 'payout'; revert: string | undefined }

/**
 * Finds which step of a settlement that reverts is to blame beside the solver's route: the steps one after the other,
 * each as a call of its own.
 * @param before calls before the settlement, such as hooks and approvals
 * @returns undefined when the route fails, or the receiver would get more than it gives
 * @throws SimulationError
 */
export const findFailingStep = async (
  { network, simulate, signal }: { network: Network; simulate: Simulate; signal: AbortSignal },
  trade: RehearsedTrade,
  before: readonly SimulatedCall[],
  overrides: StateOverrides,
): Promise<FailingStep | undefined> => {
  const { buyToken, buyAmount, interactions } = trade
  const { settlementContract } = network
  const toCall = ({ target, value, callData }: Interaction): SimulatedCall => ({
    from: settlementContract,
    to: target,
    value,
    data: callData,
  })
  const [pre, intra] = [interactions.pre.map(toCall), interactions.intra.map(toCall)]
  const calls = [
    ...before,
    ...pre,
    buildPull(network, trade, trade.sellAmount),
    ...intra,
    buildBalanceRead(network, buyToken, settlementContract),
    buildPayout(network, trade, buyAmount, trade.payoutAccess),
  ]
  const { results } = await simulate(calls, overrides, signal)
  const [pulled, ...routed] = results.slice(before.length + pre.length, -2)
  const [held, paid] = results.slice(-2)
  const fails = (result: typeof paid) => !result?.succeeded || !isTransferAccepted(result.returnData)
  if (fails(pulled)) return { step: 'transfer', revert: decodeRevertReason(pulled?.returnData) }
  if (routed.some(({ succeeded }) => !succeeded)) return undefined
  const isCovered = (readSingleWord(held?.returnData) ?? 0n) >= buyAmount
  return isCovered && fails(paid) ? { step: 'payout', revert: decodeRevertReason(paid?.returnData) } : undefined
}
