import { type Address, encodeFunctionData, parseEther } from 'viem'
import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { sendFrom } from '../sendFrom.ts'
import type { SettlementContracts } from './deploySettlementContracts.ts'

/** Allows each of `solvers` to call `settle`, as the manager of the allow-list. */
export const allowListSolvers = async (
  chain: LocalChain,
  { authenticator, manager }: SettlementContracts,
  solvers: Address[],
): Promise<void> => {
  for (const solver of solvers) {
    const call = { abi: authenticatorAbi, args: [solver] } as const
    if (await chain.readContract({ ...call, address: authenticator, functionName: 'isSolver' })) continue
    await chain.setBalance({ address: manager, value: parseEther('1') })
    await chain.impersonateAccount({ address: manager })
    await sendFrom(chain, manager, {
      to: authenticator,
      data: encodeFunctionData({ ...call, functionName: 'addSolver' }),
    })
    await chain.stopImpersonatingAccount({ address: manager })
  }
}
