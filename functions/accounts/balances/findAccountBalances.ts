import type { Address, Hex } from 'viem'
import { buildHoldingCalls } from '#shared/chain/calls/balanceCalls.ts'
import { callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import { readWord } from '#shared/chain/calls/readWord.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { readTokenDetails } from '#shared/tokens/readTokenDetails.ts'
import {
  buildDetailsCalls,
  callsOfDetails,
  detailsBounds,
  type TokenDetails,
  toNativeDetails,
} from '#shared/tokens/tokenDetails.ts'

/** Balance and vault relayer allowance of an account in one token, atoms; undefined: the token returned no amount. */
export type AccountHolding = {
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
export const findAccountBalances = async (
  chain: ChainClient,
  account: Account,
  tokens: readonly Address[],
  { describe, blockNumber }: { describe: boolean; blockNumber?: bigint },
): Promise<AccountHolding[]> => {
  const calls = tokens.map((token) => [
    ...buildHoldingCalls(account.network, account.address, token),
    ...(describe && token !== nativeSentinel ? buildDetailsCalls(token) : []),
  ])
  const bounds = { gasEach, maxBytes: describe ? detailsBounds.maxBytes : undefined, blockNumber }
  const results = (await callTogether(chain, calls.flat(), bounds)).map(toReturned)
  let next = 0
  return tokens.map((token, i) => {
    const first = next
    next += calls[i]?.length ?? 0
    return readHolding(account, token, results.slice(first, next))
  })
}

const readHolding = ({ network }: Account, token: Address, results: readonly (Hex | undefined)[]): AccountHolding => {
  if (token === nativeSentinel) {
    const balance = readWord(results[0])
    const fault = balance === undefined ? 'reverted' : undefined
    return { token: toNativeDetails(network), balance, allowance: 0n, fault }
  }
  const [balance, allowance, ...details] = results
  return {
    token: (details.length === callsOfDetails && readTokenDetails(token, details)) || { address: token },
    balance: readWord(balance),
    allowance: readWord(allowance),
    fault: toFault([balance, allowance]),
  }
}

/** Calls of accounts without code succeed and return nothing. */
const toFault = (results: (Hex | undefined)[]): AccountHolding['fault'] => {
  if (results.includes(undefined)) return 'reverted'
  return results.every((result) => readWord(result) !== undefined) ? undefined : 'not a token'
}
