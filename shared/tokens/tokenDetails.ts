import { type Address, decodeAbiParameters, encodeFunctionData, type Hex, hexToString } from 'viem'
import { readSingleWord } from '../chain/calls/readWord.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'
import { type Network, nativeSentinel } from '../networks.ts'

/** Details stated by a token; missing where the token states none. */
export type TokenDetails = { address: Address; name?: string; symbol?: string; decimals?: number }

const questions = ['totalSupply', 'name', 'symbol', 'decimals'] as const
const maxTextLength = 256

/** Bounds of one call: an ordinary token takes a third of the gas, and longer texts are left out. */
export const detailsBounds = { gasEach: 100_000n, maxBytes: 1_088 }

/** Number of calls per token in `buildDetailsCalls`. */
export const callsOfDetails = questions.length

/** Calls that read a token's details, for `callTogether`. */
export const buildDetailsCalls = (target: Address): { target: Address; callData: Hex }[] =>
  questions.map((functionName) => ({ target, callData: encodeFunctionData({ abi: erc20Abi, functionName }) }))

/**
 * Parses the outcomes of `buildDetailsCalls`.
 * @param answers outcomes, starting with those of this token
 * @returns undefined for an account that is not an ERC-20 token
 */
export const readTokenDetails = (address: Address, answers: readonly (Hex | undefined)[]): TokenDetails | undefined => {
  const [totalSupply, name, symbol, decimals] = answers
  if (readSingleWord(totalSupply) === undefined) return undefined
  const scale = readSingleWord(decimals)
  return {
    address,
    ...toField('name', toText(name)),
    ...toField('symbol', toText(symbol)),
    ...toField('decimals', scale !== undefined && scale < 256n ? Number(scale) : undefined),
  }
}

/** The native token, described by its network. */
export const toNativeDetails = ({ nativeSymbol: symbol }: Pick<Network, 'nativeSymbol'>): TokenDetails => ({
  address: nativeSentinel,
  name: symbol,
  symbol,
  decimals: 18,
})

const toField = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value }

/** A string as in ERC-20, or the bytes32 of older tokens. */
const toText = (answer: Hex | undefined): string | undefined => {
  if (!answer || answer.length < 66) return undefined
  const text = answer.length === 66 ? hexToString(answer, { size: 32 }) : decodeText(answer)
  return text === undefined || text === '' ? undefined : text.slice(0, maxTextLength)
}

const decodeText = (answer: Hex): string | undefined => {
  try {
    return decodeAbiParameters([{ type: 'string' }], answer)[0]
  } catch {
    return undefined
  }
}
