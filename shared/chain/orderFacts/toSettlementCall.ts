import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { SimulatedCall } from '../calls/simulateCalls.ts'
import { settlementAbi } from '../settlementAbi.ts'

/** Gas of a call that reads one value. */
export const readGas = 1_000_000n

/** A call that reads what the settlement contract stores of an order. */
export const toSettlementCall = (
  settlementContract: Address,
  functionName: 'filledAmount' | 'preSignature',
  uid: Hex,
): SimulatedCall => ({
  to: settlementContract,
  data: encodeFunctionData({ abi: settlementAbi, functionName, args: [uid] }),
  gas: readGas,
})
