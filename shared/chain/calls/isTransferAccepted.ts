import type { Hex } from 'viem'
import { readSingleWord } from './readWord.ts'

/**
 * Whether the vault relayer accepts the return data of a transfer (`GPv2SafeERC20`): no return data, as with old tokens, or
 * one word that is not 0.
 */
export const isTransferAccepted = (returnData: Hex): boolean =>
  returnData === '0x' || (readSingleWord(returnData) ?? 0n) !== 0n
