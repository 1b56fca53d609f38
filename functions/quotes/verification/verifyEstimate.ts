import { type AccessList, type Address, type Hex, maxUint256, zeroAddress } from 'viem'
import type { Hook } from '#shared/appData/parseAppData.ts'
import { createEncoder } from '#shared/chain/calls/createEncoder.ts'
import { decodeRevertReason } from '#shared/chain/calls/decodeRevertReason.ts'
import { readSingleWord } from '#shared/chain/calls/readWord.ts'
import {
  ignoreSimulationError,
  type Simulate,
  type SimulatedCall,
  SimulationError,
} from '#shared/chain/calls/simulateCalls.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { maxTransactionGas } from '#shared/chain/maxTransactionGas.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { buildHookCalls, computeUsedHookGas, toHookOutcomes } from '#shared/hooks/hookCalls.ts'
import type { HookOutcome } from '#shared/hooks/hookOutcome.ts'
import { type Network, wrapToken } from '#shared/networks.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import { buildBalanceRead } from '#shared/rehearsal/settlementSteps.ts'
import type { SolverQuote } from '#shared/solvers/requestQuote.ts'
import type { WriteBalance } from '#shared/tokens/findBalanceWord.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { buildTrialSettlement, buildUnwrapping } from './buildTrialSettlement.ts'
import { findFailingStep, type RehearsedTrade } from './findFailingStep.ts'

/** An offer that no simulation contradicts: confirmed, or not simulated with the reason. */
export type EstimateConfirmation =
  | {
      status: 'passed'
      block: number
      gasUsed: bigint
      /** what the hooks of the document did; without it there are none */
      hooks?: HookOutcome[]
    }
  | { status: 'skipped'; reason: SimulationError['reason'] | 'fastQuote' | 'balanceNotSimulated' | 'unknownAppData' }

export type Refutation = {
  status: 'failed'
  /**
   * the settlement reverts, in the transfer from the owner, the payout or elsewhere; the receiver gets less than quoted;
   * the settlement contract pays out of its own tokens
   */
  reason: 'transferReverts' | 'payoutReverts' | 'settlementReverts' | 'receivesTooLittle' | 'usesContractFunds'
  block: number
  /** decoded revert reason */
  detail?: string
  /** atoms that are missing */
  shortfall?: { token: Address; amount: bigint }
}

/** Result of simulating the quoted trade. */
export type Verification = EstimateConfirmation | Refutation

export type VerifyDeps = { network: Network; simulate: Simulate; signal: AbortSignal }

/** What a simulation knows of the chain beforehand. */
export type Preparation = {
  /** gives the owner sell tokens; without it the owner has its on-chain balance and what pre-hooks add */
  writeBalance: WriteBalance | undefined
  /** access list of the settlement for a receiver of the native token */
  payoutAccess: AccessList
}

/**
 * Replaces the owner while no wallet is connected, because tokens reject the zero address. Its private key is unknown.
 */
export const placeholderOwner: Address = '0xed9eb00c00000000000000000000000000000001'
const helperGas = 1_000_000n

/**
 * Simulates the settlement of the quoted trade on the latest block, in one call to the node: the owner is given the
 * sell tokens, approves the relayer and pre-signs, and the solver settles. It passes when the receiver gets the quoted
 * amount and the settlement contract loses nothing of either token. The hooks of the document run before and after the
 * settlement, each as a call of its own, because the trampoline hides what becomes of it. Tokens that hooks move do not count, because post-hooks often forward the receiver's tokens. A second call
 * finds which step of a settlement reverts.
 * @returns `skipped` whenever the node gives no result; never rejects
 */
export const verifyEstimate = async (
  deps: VerifyDeps,
  prepared: PreparedRequest,
  estimate: Omit<SolverQuote, 'gas'>,
  preparation: Preparation,
): Promise<Verification> => {
  try {
    return await simulateTrade(deps, prepared, estimate, preparation)
  } catch (error) {
    if (error instanceof SimulationError) return { status: 'skipped', reason: error.reason }
    throw error
  }
}

const simulateTrade = async (
  deps: VerifyDeps,
  prepared: PreparedRequest,
  estimate: Omit<SolverQuote, 'gas'>,
  { writeBalance, payoutAccess }: Preparation,
): Promise<Verification> => {
  const { network, simulate, signal } = deps
  const { settlementContract, vaultRelayer, wrappedNative } = network
  const trade = toTrade(network, prepared, estimate, payoutAccess)
  const { owner, beneficiary, sellToken, buyToken } = trade
  const { orderUid, callData } = buildTrialSettlement(network, prepared.request.kind, trade)
  const { pre, post } = prepared.appData.hooks
  const funds = [...new Set([sellToken, wrapToken(buyToken, wrappedNative), buyToken])]
  const reads = [
    buildBalanceRead(network, buyToken, beneficiary),
    ...funds.map((token) => buildBalanceRead(network, token, settlementContract)),
    buildBalanceRead(network, sellToken, owner),
  ]
  const approvals = [...buildHookCalls(network, pre), ...toApprovals(owner, sellToken, vaultRelayer)]
  const before = [...approvals, toPresignature(owner, settlementContract, orderUid), ...reads]
  const settlement = { to: settlementContract, data: callData, gas: maxTransactionGas, accessList: payoutAccess }
  const overrides = writeBalance?.(estimate.sellAmount) ?? {}
  const { block, results } = await simulate(
    [...before, { from: estimate.solver.address, ...settlement }, ...reads, ...buildHookCalls(network, post)],
    overrides,
    signal,
  )
  const settled = results[before.length]
  const balances = (first: number) =>
    results.slice(first, first + reads.length).map(({ returnData }) => readSingleWord(returnData) ?? 0n)
  const [earlier, later] = [balances(before.length - reads.length), balances(before.length + 1)]
  if (!settled?.succeeded) {
    const held = earlier.at(-1) ?? 0n
    if (held < estimate.sellAmount) return { status: 'skipped', reason: 'balanceNotSimulated' }
    const failing = await findFailingStep(deps, trade, approvals, overrides).catch(ignoreSimulationError)
    const detail = failing ? failing.revert : decodeRevertReason(settled?.returnData)
    const reason = failing ? (`${failing.step}Reverts` as const) : 'settlementReverts'
    return { status: 'failed', reason, block, ...(detail ? { detail } : {}) }
  }
  const gains = later.map((balance, index) => balance - (earlier[index] ?? 0n))
  const missing = estimate.buyAmount - (gains[0] ?? 0n)
  if (missing > 0n) {
    return { status: 'failed', reason: 'receivesTooLittle', block, shortfall: { token: buyToken, amount: missing } }
  }
  for (const [index, token] of funds.entries()) {
    const gain = gains[index + 1] ?? 0n
    if (gain < 0n) return { status: 'failed', reason: 'usesContractFunds', block, shortfall: { token, amount: -gain } }
  }
  const [ranBefore, ranAfter] = [results.slice(0, pre.length), results.slice(results.length - post.length)]
  const hooks = [...toHookOutcomes('pre', pre, ranBefore), ...toHookOutcomes('post', post, ranAfter)]
  const hookGas = computePassingGas(pre, post) + computeUsedHookGas(pre, ranBefore) + computeUsedHookGas(post, ranAfter)
  return { status: 'passed', block, gasUsed: settled.gasUsed + hookGas, ...(hooks.length > 0 ? { hooks } : {}) }
}

/** Gas of passing hooks through the trampoline, without what they use. */
const computePassingGas = (pre: readonly Hook[], post: readonly Hook[]): bigint => {
  const withoutLimit = (hooks: readonly Hook[]) => hooks.map((hook) => ({ ...hook, gasLimit: 0n }))
  return computeHookGas({ pre: withoutLimit(pre), post: withoutLimit(post) })
}

const toTrade = (
  network: Network,
  { request }: PreparedRequest,
  { sellAmount, buyAmount, preInteractions, interactions }: Omit<SolverQuote, 'gas'>,
  payoutAccess: AccessList,
): RehearsedTrade => {
  const { sellToken, buyToken, receiver } = request
  const owner = request.from === zeroAddress ? placeholderOwner : request.from
  const intra = [...interactions, ...buildUnwrapping(network, buyToken, buyAmount)]
  return {
    ...{ owner, beneficiary: toBeneficiary({ owner, receiver }), payoutAccess },
    ...{ sellToken, buyToken, sellAmount, buyAmount, interactions: { pre: preInteractions, intra } },
  }
}

/** Without the second call the settlement's own revert remains. */
const encodeApproval = createEncoder(erc20Abi, 'approve')
const encodePresignature = createEncoder(settlementAbi, 'setPreSignature')

/**
 * Some tokens reject changing a non-zero approval, others reject an approval of nothing. Either call may fail; an
 * existing approval then has to suffice.
 */
const toApprovals = (owner: Address, token: Address, relayer: Address): SimulatedCall[] =>
  [0n, maxUint256].map((amount) => ({
    from: owner,
    to: token,
    data: encodeApproval([relayer, amount]),
    gas: helperGas,
  }))

const toPresignature = (owner: Address, settlementContract: Address, orderUid: Hex): SimulatedCall => ({
  from: owner,
  to: settlementContract,
  data: encodePresignature([orderUid, true]),
  gas: helperGas,
})
