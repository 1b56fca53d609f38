import { type Address, BaseError, decodeFunctionResult, encodeFunctionData, type Hex, type StateOverride } from 'viem'
import { settlementAbi } from '../settlementAbi.ts'

/** Account at which a simulation places code. Its private key is unknown. */
const codeAccount: Address = '0xed9eb00c000000000000000000000000c0de0001'

/**
 * Calldata of the settlement contract with which it runs the code of `overrideCode` as its own (`StorageAccessible`), so
 * that contracts see it as the caller. All changes are undone.
 * @param payload calldata of that code
 */
export const encodeAsSettlement = (payload: Hex): Hex =>
  encodeFunctionData({ abi: settlementAbi, functionName: 'simulateDelegatecall', args: [codeAccount, payload] })

/** State override of an `eth_call` that places code for `encodeAsSettlement`. */
export const placeCode = (code: Hex): StateOverride => [{ address: codeAccount, code }]

/** @returns what the code returned; undefined when the node placed no code, or the call reverted */
export const decodeAsSettlement = (returnData: Hex | undefined): Hex | undefined => {
  if (returnData === undefined || returnData === '0x') return undefined
  try {
    const data = decodeFunctionResult({ abi: settlementAbi, functionName: 'simulateDelegatecall', data: returnData })
    return data === '0x' ? undefined : data
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}
