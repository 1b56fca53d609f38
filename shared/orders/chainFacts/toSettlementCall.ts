import type { Address, Hex } from 'viem'
import { createEncoder } from '../../chain/calls/createEncoder.ts'
import type { SimulatedCall } from '../../chain/calls/simulateCalls.ts'
import { settlementAbi } from '../../chain/settlementAbi.ts'

/** Gas of a call that reads one value. */
export const readGas = 1_000_000n

const encoders = {
  filledAmount: createEncoder(settlementAbi, 'filledAmount'),
  preSignature: createEncoder(settlementAbi, 'preSignature'),
}

/** A call that reads what the settlement contract stores of an order. */
export const toSettlementCall = (
  settlementContract: Address,
  functionName: 'filledAmount' | 'preSignature',
  uid: Hex,
): SimulatedCall => ({ to: settlementContract, data: encoders[functionName]([uid]), gas: readGas })
