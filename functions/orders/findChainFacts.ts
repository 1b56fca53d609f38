import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Hook } from '#shared/appData/parseAppData.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { isContractFault } from '#shared/chain/isContractFault.ts'
import { multicall3Address } from '#shared/chain/multicall3Address.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { eip1271MagicValue } from '#shared/signing/eip1271MagicValue.ts'

const deadlineMs = 4_000

const multicall3Abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  // payable in the contract, here it is only asked
  'function aggregate3(Call[] calls) view returns (Result[] results)',
])
const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

export type ChainQuery = {
  owner: Address
  sellToken: Address
  vaultRelayer: Address
  /** what to ask the owner's contract; only with `eip1271` */
  contractSignature: { digest: Hex; signature: Hex; preHooks: readonly Hook[] } | undefined
  /** gas units for all of it, so that no contract of a stranger keeps the node busy */
  maxGas: bigint
}

/** What the chain says at its head, in sell token atoms; undefined where the contract gave no usable answer. */
export type ChainFacts = {
  balance: bigint | undefined
  allowance: bigint | undefined
  /** true without a contract signature to check */
  signatureAccepted: boolean
}

/**
 * Asks for the owner's balance and allowance, and its contract for the signature, in one `eth_call`. The contract is asked
 * after the order's pre-hooks ran, since one of them may deploy it.
 * @throws ApiError `ServiceUnavailable` when the node fails or takes too long
 */
export const findChainFacts = async (client: ChainClient, query: ChainQuery): Promise<ChainFacts> => {
  const { owner, sellToken, vaultRelayer, contractSignature, maxGas } = query
  const calls: { target: Address; callData: Hex }[] = [
    {
      target: sellToken,
      callData: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    },
    {
      target: sellToken,
      callData: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, vaultRelayer] }),
    },
  ]
  if (contractSignature) {
    const { preHooks } = contractSignature
    calls.push(...preHooks.map(({ target, callData }) => ({ target, callData })))
    const args = [contractSignature.digest, contractSignature.signature] as const
    const callData = encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args })
    calls.push({ target: owner, callData })
  }
  const results = await callAll(client, calls, maxGas)
  const [balance, allowance] = results
  return {
    balance: toAmount(balance),
    allowance: toAmount(allowance),
    signatureAccepted: !contractSignature || isAccepted(results.at(-1)),
  }
}

/** Return data of each call, undefined for a call that reverts; of none when they use up all gas together. */
const callAll = async (
  client: ChainClient,
  calls: { target: Address; callData: Hex }[],
  gas: bigint,
): Promise<(Hex | undefined)[]> => {
  try {
    const multicall = { abi: multicall3Abi, functionName: 'aggregate3' } as const
    const args = [calls.map((call) => ({ ...call, allowFailure: true }))] as const
    const { data = '0x' } = await withDeadline(
      client.call({ to: multicall3Address, data: encodeFunctionData({ ...multicall, args }), gas }),
    )
    return decodeFunctionResult({ ...multicall, data }).map(({ success, returnData }) =>
      success ? returnData : undefined,
    )
  } catch (error) {
    if (isContractFault(error)) return []
    const facts = { data: { dependency: 'chain', retryable: true }, context: { cause: describeError(error) } }
    throw new ApiError('ServiceUnavailable', facts)
  }
}

const isAccepted = (returnData: Hex | undefined): boolean =>
  returnData !== undefined && returnData.length >= 66 && returnData.startsWith(eip1271MagicValue)

const toAmount = (returnData: Hex | undefined): bigint | undefined =>
  returnData && returnData.length >= 66 ? BigInt(returnData.slice(0, 66)) : undefined

const withDeadline = async <T>(work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
