import { type Address, encodeFunctionData, type Hex } from 'viem'
import { erc20Abi } from '../chain/erc20Abi.ts'
import { type Network, nativeSentinel } from '../networks.ts'

/** Details stated by a token; missing where the token states none. */
export type TokenDetails = { address: Address; name?: string; symbol?: string; decimals?: number }

const questions = ['totalSupply', 'name', 'symbol', 'decimals'] as const

/** Bounds of one call: an ordinary token takes a third of the gas, and longer texts are left out. */
export const detailsBounds = { gasEach: 100_000n, maxBytes: 1_088 }

/** Number of calls per token in `buildDetailsCalls`. */
export const callsOfDetails = questions.length

/** Calls that read a token's details, for `callTogether`. */
export const buildDetailsCalls = (target: Address): { target: Address; callData: Hex }[] =>
  questions.map((functionName) => ({ target, callData: encodeFunctionData({ abi: erc20Abi, functionName }) }))

/** The native token, described by its network. */
export const toNativeDetails = ({ nativeSymbol: symbol }: Pick<Network, 'nativeSymbol'>): TokenDetails => ({
  address: nativeSentinel,
  name: symbol,
  symbol,
  decimals: 18,
})
