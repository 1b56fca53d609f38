import { type Address, type Hex, parseAbi } from 'viem'
import { hooksTrampolineAbi } from '#shared/chain/hooksTrampolineAbi.ts'
import { defineContract } from '../defineContract.ts'
import { type Code, Revert, toWeiKey } from '../machine.ts'

const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) returns (Result[] results)',
  'function getEthBalance(address account) view returns (uint256)',
])

type Call = { target: Address; allowFailure: boolean; callData: Hex }

/** Multicall3: calls contracts in sequence. */
export const createMulticallCode = (): Code =>
  defineContract(multicallAbi, {
    aggregate3: (frame, calls: readonly Call[]) =>
      calls.map(({ target, allowFailure, callData }) => {
        const { succeeded, returnData } = frame.call(lower(target), callData)
        if (!succeeded && !allowFailure) throw new Revert(returnData, 'Multicall3: call failed')
        return { success: succeeded, returnData }
      }),
    getEthBalance: ({ store }, account: Address) => store.get(toWeiKey(lower(account))),
  })

type Hook = { target: Address; callData: Hex; gasLimit: bigint }

/** Runs the hooks of orders for the settlement contract; a reverting hook is skipped. */
export const createTrampolineCode = (settlementContract: Address): Code =>
  defineContract(hooksTrampolineAbi, {
    execute: (frame, hooks: readonly Hook[]) => {
      if (frame.sender !== settlementContract) throw new Revert('0x', 'NotASettlement')
      for (const { target, callData, gasLimit } of hooks) {
        if ((frame.gasLeft() * 63n) / 64n < gasLimit) throw new Revert('0x', 'NotEnoughGas')
        frame.call(lower(target), callData, { gas: gasLimit })
      }
    },
    settlement: () => settlementContract,
  })

const lower = (address: Address): Address => address.toLowerCase() as Address
