import type { SimulatedCall } from '../chain/simulateCalls.ts'
import type { Network } from '../networks.ts'
import type { PlainCall } from './buildHookInteractions.ts'
import { computeInteractionGas } from './computeInteractionGas.ts'

/** gas units for the transaction around a call */
const transactionGas = 100_000n
/** no transaction may use more (EIP-7825) */
const maxGas = 16_777_215n

/** A call of a simulation in which the settlement contract makes one of an order's calls, with the gas that it reserves. */
export const buildSettlementCall = (
  { settlementContract }: Pick<Network, 'settlementContract'>,
  call: PlainCall,
): SimulatedCall => {
  const gas = computeInteractionGas([call])
  // a call leaves the 64th part of the gas behind (EIP-150)
  const roomyGas = gas + gas / 60n + transactionGas
  return {
    from: settlementContract,
    to: call.target,
    data: call.callData,
    gas: roomyGas < maxGas ? roomyGas : maxGas,
  }
}
