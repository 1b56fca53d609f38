import { type Address, type Hex, maxUint256, numberToHex, zeroAddress } from 'viem'
import { encodeBalance, encodeNativeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { createEncoder } from '#shared/chain/calls/createEncoder.ts'
import { decodeRevertReason } from '#shared/chain/calls/decodeRevertReason.ts'
import { readSingleWord } from '#shared/chain/calls/readWord.ts'
import { type Simulate, type SimulatedCall, SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import { buildSettlementCall } from '#shared/hooks/buildSettlementCall.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { SolverQuote } from '#shared/solvers/requestQuote.ts'
import type { BalanceLayout } from '#shared/tokens/balanceLayouts.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { buildTrialSettlement } from './buildTrialSettlement.ts'

/** An offer that no simulation contradicts: confirmed, or not simulated with the reason. */
export type EstimateConfirmation =
  | { status: 'passed'; block: number; gasUsed: bigint }
  | { status: 'skipped'; reason: SimulationError['reason'] | 'fastQuote' | 'balanceNotSimulated' | 'unknownAppData' }

export type Refutation = {
  status: 'failed'
  /** the settlement reverts; the receiver gets less than quoted; the settlement contract pays out of its own tokens */
  reason: 'settlementReverts' | 'receivesTooLittle' | 'usesContractFunds'
  block: number
  /** decoded revert reason */
  detail?: string
  /** atoms that are missing */
  shortfall?: { token: Address; amount: bigint }
}

/** Result of simulating the quoted trade. */
export type Verification = EstimateConfirmation | Refutation

export type VerifyDeps = { network: Network; simulate: Simulate; signal: AbortSignal }

/**
 * Replaces the owner while no wallet is connected, because tokens reject the zero address. Its private key is unknown.
 */
const placeholderOwner: Address = '0xed9eb00c00000000000000000000000000000001'
/** no transaction may use more (EIP-7825) */
const maxTransactionGas = 16_777_215n
const helperGas = 1_000_000n
/** base cost, paid once per transaction: hooks inside the settlement transaction do not pay it again */
const transactionGas = 21_000n
const maxDetailLength = 200

/**
 * Simulates the settlement of the quoted trade on the latest block, in one call to the node: the owner is given the
 * sell tokens, approves the relayer and pre-signs, and the solver settles. It passes when the receiver gets the quoted
 * amount and the settlement contract loses nothing of either token. The hooks of the document run before and after the
 * settlement. Tokens that hooks move do not count, because post-hooks often forward the receiver's tokens.
 * @param layout storage layout of the sell token's balances; without it the owner has its on-chain balance and what
 *   pre-hooks add
 * @returns `skipped` whenever the node gives no result; never rejects
 */
export const verifyEstimate = async (
  deps: VerifyDeps,
  prepared: PreparedRequest,
  estimate: Omit<SolverQuote, 'gas'>,
  layout: BalanceLayout | undefined,
): Promise<Verification> => {
  try {
    return await simulateTrade(deps, prepared, estimate, layout)
  } catch (error) {
    if (error instanceof SimulationError) return { status: 'skipped', reason: error.reason }
    throw error
  }
}

const simulateTrade = async (
  { network, simulate, signal }: VerifyDeps,
  prepared: PreparedRequest,
  estimate: Omit<SolverQuote, 'gas'>,
  layout: BalanceLayout | undefined,
): Promise<Verification> => {
  const { sellToken, buyToken, from, receiver } = prepared.request
  const owner = from === zeroAddress ? placeholderOwner : from
  const beneficiary = receiver && receiver !== zeroAddress ? receiver : owner
  const { orderUid, callData } = buildTrialSettlement(network, prepared, estimate, owner)
  const { settlementContract, vaultRelayer, wrappedNative, hooksTrampoline } = network
  const { pre, post } = prepared.appData.hooks
  const [preHooks, postHooks] = [pre, post].map((hooks) =>
    buildHookInteractions(hooksTrampoline, hooks).map((interaction) => buildSettlementCall(network, interaction)),
  ) as [SimulatedCall[], SimulatedCall[]]
  const funds = [...new Set([sellToken, buyToken === nativeSentinel ? wrappedNative : buyToken, buyToken])]
  const reads = [
    toBalanceCall(network, buyToken, beneficiary),
    ...funds.map((token) => toBalanceCall(network, token, settlementContract)),
    toBalanceCall(network, sellToken, owner),
  ]
  const before = [
    ...preHooks,
    toApproval(owner, sellToken, vaultRelayer),
    toPresignature(owner, settlementContract, orderUid),
    ...reads,
  ]
  const { block, results } = await simulate(
    [
      ...before,
      { from: estimate.solver.address, to: settlementContract, data: callData, gas: maxTransactionGas },
      ...reads,
      ...postHooks,
    ],
    layout ? { [sellToken]: { [layout(owner)]: numberToHex(estimate.sellAmount, { size: 32 }) } } : {},
    signal,
  )
  const settled = results[before.length]
  const balances = (first: number) =>
    results.slice(first, first + reads.length).map(({ returnData }) => readSingleWord(returnData) ?? 0n)
  const [earlier, later] = [balances(before.length - reads.length), balances(before.length + 1)]
  if (!settled?.succeeded) {
    const held = earlier.at(-1) ?? 0n
    if (held < estimate.sellAmount) return { status: 'skipped', reason: 'balanceNotSimulated' }
    const detail = decodeRevertReason(settled?.returnData)?.slice(0, maxDetailLength)
    return { status: 'failed', reason: 'settlementReverts', block, ...(detail ? { detail } : {}) }
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
  const hookGas = [...results.slice(0, preHooks.length), ...results.slice(results.length - postHooks.length)]
    .map(({ gasUsed }) => gasUsed - transactionGas)
    .reduce((sum, gas) => sum + gas, 0n)
  return { status: 'passed', block, gasUsed: settled.gasUsed + hookGas }
}

const toBalanceCall = ({ multicall3 }: Network, token: Address, holder: Address): SimulatedCall =>
  token === nativeSentinel
    ? {
        to: multicall3,
        data: encodeNativeBalance(holder),
        gas: helperGas,
      }
    : {
        to: token,
        data: encodeBalance(holder),
        gas: helperGas,
      }

const encodeApproval = createEncoder(erc20Abi, 'approve')
const encodePresignature = createEncoder(settlementAbi, 'setPreSignature')

/** Some tokens reject changing a non-zero approval; then the existing one must suffice. */
const toApproval = (owner: Address, token: Address, relayer: Address): SimulatedCall => ({
  from: owner,
  to: token,
  data: encodeApproval([relayer, maxUint256]),
  gas: helperGas,
})

const toPresignature = (owner: Address, settlementContract: Address, orderUid: Hex): SimulatedCall => ({
  from: owner,
  to: settlementContract,
  data: encodePresignature([orderUid, true]),
  gas: helperGas,
})
