import type { AccessList, Address } from 'viem'
import { decodeRevertReason } from '#shared/chain/calls/decodeRevertReason.ts'
import { isTransferAccepted } from '#shared/chain/calls/isTransferAccepted.ts'
import { readSingleWord } from '#shared/chain/calls/readWord.ts'
import type { Simulate, SimulatedCall, StateOverrides } from '#shared/chain/calls/simulateCalls.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
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

/** Accounts of a route that are tried as holders of the buy token. */
const maxSources = 8

/** `transfer`: of the sell token from the owner; `payout`: of the buy token to the receiver */
export type FailingStep = { step: 'transfer' | 'payout'; revert: string | undefined }

/**
 * Finds which step of a settlement that reverts is to blame beside the solver's route: the steps one after the other,
 * each as a call of its own. A pool that cannot send what it holds of the buy token shows that the token moves for no one:
 * no route helps.
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
  const sources =
    buyToken === nativeSentinel ? [] : [...new Set(interactions.intra.map(({ target }) => target))].slice(0, maxSources)
  const calls = [
    ...before,
    ...pre,
    buildPull(network, trade, trade.sellAmount),
    ...intra,
    buildBalanceRead(network, buyToken, settlementContract),
    buildPayout(network, trade, buyAmount, trade.payoutAccess),
    ...sources.flatMap((source) => [
      buildBalanceRead(network, buyToken, source),
      buildPayout({ settlementContract: source }, { ...trade, beneficiary: settlementContract }, buyAmount),
    ]),
  ]
  const { results } = await simulate(calls, overrides, signal)
  const first = before.length + pre.length
  const end = first + 1 + intra.length
  const [pulled, ...routed] = results.slice(first, end)
  const [held, paid] = results.slice(end)
  const fails = (result: typeof paid) => !result?.succeeded || !isTransferAccepted(result.returnData)
  if (fails(pulled)) return { step: 'transfer', revert: decodeRevertReason(pulled?.returnData) }
  const isCovered = (balance: typeof paid) => (readSingleWord(balance?.returnData) ?? 0n) >= buyAmount
  const isRouted = routed.every(({ succeeded }) => succeeded)
  const payments = isRouted ? [[held, paid]] : sources.map((_, place) => results.slice(end + 2 + 2 * place))
  const refused = payments.find(([holding, sent]) => isCovered(holding) && fails(sent))
  return refused && { step: 'payout', revert: decodeRevertReason(refused[1]?.returnData) }
}
