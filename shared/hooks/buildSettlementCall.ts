import { minOf } from '../amounts/minMax.ts'
import type { SimulatedCall } from '../chain/calls/simulateCalls.ts'
import { maxTransactionGas } from '../chain/maxTransactionGas.ts'
import type { Network } from '../networks.ts'
import type { PlainCall } from './buildHookInteractions.ts'
import { computeInteractionGas } from './computeInteractionGas.ts'

/** gas units for the transaction itself */
const transactionGas = 100_000n

/** A simulated call of an order's interaction by the settlement contract, with the gas reserved for it. */
export const buildSettlementCall = (
  { settlementContract }: Pick<Network, 'settlementContract'>,
  call: PlainCall,
): SimulatedCall => {
  const gas = computeInteractionGas([call])
  // a call forwards all but 1/64 of the gas (EIP-150)
  const roomyGas = gas + gas / 60n + transactionGas
  return {
    from: settlementContract,
    to: call.target,
    data: call.callData,
    gas: minOf(roomyGas, maxTransactionGas),
  }
}
