import type { Hex } from 'viem'

const wordLength = 2 + 2 * 32

/** First word of return data, as contracts decode a uint256; undefined for less than one word. */
export const readWord = (returnData: Hex | undefined): bigint | undefined =>
  returnData && returnData.length >= wordLength ? BigInt(returnData.slice(0, wordLength)) : undefined

/** Return data of exactly one word; undefined for anything else, such as an account without code. */
export const readSingleWord = (returnData: Hex | undefined): bigint | undefined =>
  returnData?.length === wordLength ? BigInt(returnData) : undefined
