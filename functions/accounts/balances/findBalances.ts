import { type Address, encodeFunctionData, type Hex } from 'viem'
import { callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { multicall3Abi } from '#shared/chain/multicall3Abi.ts'
import { multicall3Address } from '#shared/chain/multicall3Address.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import {
  buildDetailsCalls,
  callsOfDetails,
  detailsBounds,
  readTokenDetails,
  type TokenDetails,
  toNativeDetails,
} from '#shared/tokens/tokenDetails.ts'

/** Balance and vault relayer allowance of an account in one token, atoms; undefined: the token returned no amount. */
export type Holding = {
  token: TokenDetails
  balance: bigint | undefined
  allowance: bigint | undefined
  /** `reverted`: a later read may succeed; `not a token`: no contract, or one that does not implement ERC-20 */
  fault: 'reverted' | 'not a token' | undefined
}

/** gas units per call, sufficient for any balance */
const gasEach = 200_000n

export type Account = { network: Network; address: Address }

/**
 * Reads balances and allowances of an account in several tokens, in one round trip, all of one block. The allowance of the
 * native token is 0, because only its owner can transfer it.
 * @param tokens in lower case, without duplicates
 * @param options.describe also reads name, symbol and decimals; otherwise `token` has the address only
 * @param options.blockNumber default: the head
 * @returns in the order of `tokens`
 * @throws Error when the node fails; an outage is never reported as a failing token
 */
export const findBalances = async (
  chain: ChainClient,
  account: Account,
  tokens: readonly Address[],
  { describe, blockNumber }: { describe: boolean; blockNumber?: bigint },
): Promise<Holding[]> => {
  const calls = tokens.map((token) => [
    ...buildBalanceCalls(account, token),
    ...(describe && token !== nativeSentinel ? buildDetailsCalls(token) : []),
  ])
  const bounds = {
    gasEach,
    ...(describe ? { maxBytes: detailsBounds.maxBytes } : {}),
    ...(blockNumber === undefined ? {} : { blockNumber }),
  }
  const answers = (await callTogether(chain, calls.flat(), bounds)).map(toReturned)
  let next = 0
  return tokens.map((token, i) => {
    const first = next
    next += calls[i]?.length ?? 0
    return readHolding(account, token, answers.slice(first, next))
  })
}

const buildBalanceCalls = ({ network, address }: Account, token: Address): { target: Address; callData: Hex }[] => {
  if (token === nativeSentinel) {
    const callData = encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [address] })
    return [{ target: multicall3Address, callData }]
  }
  const args = [address, network.vaultRelayer] as const
  return [
    { target: token, callData: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] }) },
    { target: token, callData: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args }) },
  ]
}

const readHolding = ({ network }: Account, token: Address, answers: readonly (Hex | undefined)[]): Holding => {
  if (token === nativeSentinel) {
    const balance = toAmount(answers[0])
    const fault = balance === undefined ? 'reverted' : undefined
    return { token: toNativeDetails(network), balance, allowance: 0n, fault }
  }
  const [balance, allowance, ...details] = answers
  return {
    token: (details.length === callsOfDetails && readTokenDetails(token, details)) || { address: token },
    balance: toAmount(balance),
    allowance: toAmount(allowance),
    fault: toFault([balance, allowance]),
  }
}

/** Calls of accounts without code succeed and return nothing. */
const toFault = (answers: (Hex | undefined)[]): Holding['fault'] => {
  if (answers.includes(undefined)) return 'reverted'
  return answers.every((answer) => toAmount(answer) !== undefined) ? undefined : 'not a token'
}

const toAmount = (answer: Hex | undefined): bigint | undefined =>
  answer && answer.length >= 66 ? BigInt(answer.slice(0, 66)) : undefined
