import type { Address } from 'viem'
import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Network } from '#shared/networks.ts'
import type { OperatorChain } from './connectOperator.ts'

export type SolverAction = 'add' | 'remove' | 'list'

/**
 * Allows or forbids accounts to settle, or prints which may. What is so already needs no transaction.
 * @throws Error when the chain has no settlement contract there, the operator is not the manager, or a transaction
 *   reverts
 */
export const manageSolvers = async (
  chain: OperatorChain,
  { settlementContract }: Pick<Network, 'settlementContract'>,
  action: SolverAction,
  solvers: readonly Address[],
  log: (line: string) => void,
): Promise<void> => {
  if (!(await chain.getCode({ address: settlementContract })))
    throw new Error(`the chain has no code at ${settlementContract}: CONTRACTS in the settings names its contracts`)
  const address = await chain.readContract({
    address: settlementContract,
    abi: settlementAbi,
    functionName: 'authenticator',
  })
  const list = { address, abi: authenticatorAbi } as const
  if (action !== 'list') {
    const manager = await chain.readContract({ ...list, functionName: 'manager' })
    if (manager.toLowerCase() !== chain.account.address.toLowerCase())
      throw new Error(`${manager} manages the solvers of ${settlementContract}, not ${chain.account.address}`)
  }
  for (const solver of solvers) {
    const isAllowed = await chain.readContract({ ...list, functionName: 'isSolver', args: [solver] })
    if (action === 'list' || isAllowed === (action === 'add')) {
      log(`  ${solver}: ${isAllowed ? 'allowed' : 'not allowed'}`)
      continue
    }
    const functionName = action === 'add' ? 'addSolver' : 'removeSolver'
    const hash = await chain.writeContract({ ...list, functionName, args: [solver] })
    const { status } = await chain.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
    log(`  ${solver}: ${action === 'add' ? 'added' : 'removed'}`)
  }
}
