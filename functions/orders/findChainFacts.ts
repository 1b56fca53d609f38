import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { type Simulate, SimulationError } from '#shared/chain/simulateCalls.ts'
import type { OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { type FundsNetwork, simulateFunds } from '#shared/hooks/simulateFunds.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { eip1271MagicValue } from '#shared/signing/eip1271MagicValue.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import { callInSequence } from './callInSequence.ts'

const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

export type ChainQuery = {
  owner: Address
  sellToken: Address
  /** what the settlement contract calls first; all facts are those after it */
  preInteractions: readonly OrderInteraction[]
  /** what to ask the owner's contract; only with `eip1271` */
  contractSignature: { digest: Hex; signature: Hex } | undefined
  /** gas units for the signature check, so that no contract of a stranger keeps the node busy */
  maxGas: bigint
}

/** What the chain says at its head, in sell token atoms; undefined where the contract gave no usable answer. */
export type ChainFacts = {
  balance: bigint | undefined
  allowance: bigint | undefined
  /** true without a contract signature to check */
  signatureAccepted: boolean
  /** whether balance and allowance are those after the order's pre-hooks */
  hooksRan: boolean
}

export type ChainFactsDeps = {
  network: FundsNetwork
  client: ChainClient
  simulate: Simulate
  /** how long the node is waited for, milliseconds */
  timeoutMs: number
}

/**
 * Asks for the owner's balance and allowance, and its contract for the signature, in one round trip: with pre-hooks in a
 * simulation in which the settlement contract runs them first, since one of them may deploy that contract.
 *
 * A node that cannot simulate costs a second round trip. Then `hooksRan` is false, and the hooks run before the signature
 * check only, called by somebody else.
 * @throws ApiError `ServiceUnavailable` when the node fails or takes too long
 */
export const findChainFacts = async (deps: ChainFactsDeps, query: ChainQuery): Promise<ChainFacts> => {
  if (query.preInteractions.length === 0) return callForFacts(deps, query)
  try {
    return await simulateForFacts(deps, query)
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error
    if (error.reason === 'nodeCannotSimulate') return callForFacts(deps, query)
    throw chainUnavailable(error)
  }
}

const simulateForFacts = async (deps: ChainFactsDeps, query: ChainQuery): Promise<ChainFacts> => {
  const { network, simulate, timeoutMs } = deps
  const { owner, contractSignature, maxGas } = query
  const check = contractSignature && { to: owner, data: encodeSignatureCheck(contractSignature), gas: maxGas }
  const signal = AbortSignal.timeout(timeoutMs)
  const { balance, allowance, returned } = await simulateFunds(simulate, network, query, signal, check ? [check] : [])
  return { balance, allowance, signatureAccepted: !check || isAccepted(returned[0]), hooksRan: true }
}

const callForFacts = async (deps: ChainFactsDeps, query: ChainQuery): Promise<ChainFacts> => {
  const { network } = deps
  const { owner, sellToken, preInteractions, contractSignature, maxGas } = query
  const args = [owner, network.vaultRelayer] as const
  const questions = [
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args }),
  ]
  const calls = questions.map((callData) => ({ target: sellToken, callData }))
  if (contractSignature) {
    const hooks = readHooks(preInteractions)
    calls.push(...hooks.map(({ target, callData }) => ({ target, callData })))
    calls.push({ target: owner, callData: encodeSignatureCheck(contractSignature) })
  }
  const results = await callAll(deps, calls, maxGas)
  const [balance, allowance] = results
  return {
    balance: toAmount(balance),
    allowance: toAmount(allowance),
    signatureAccepted: !contractSignature || isAccepted(results.at(-1)),
    hooksRan: preInteractions.length === 0,
  }
}

const encodeSignatureCheck = ({ digest, signature }: { digest: Hex; signature: Hex }): Hex =>
  encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] })

const chainUnavailable = (error: unknown): ApiError =>
  new ApiError('ServiceUnavailable', {
    data: { dependency: 'chain', retryable: true },
    context: { cause: describeError(error) },
  })

const callAll = async (
  { client, timeoutMs }: ChainFactsDeps,
  calls: { target: Address; callData: Hex }[],
  gas: bigint,
): Promise<(Hex | undefined)[]> => {
  try {
    return await withDeadline(callInSequence(client, calls, gas), timeoutMs)
  } catch (error) {
    throw chainUnavailable(error)
  }
}

const isAccepted = (returnData: Hex | undefined): boolean =>
  returnData !== undefined && returnData.length >= 66 && returnData.startsWith(eip1271MagicValue)

const toAmount = (returnData: Hex | undefined): bigint | undefined =>
  returnData && returnData.length >= 66 ? BigInt(returnData.slice(0, 66)) : undefined
