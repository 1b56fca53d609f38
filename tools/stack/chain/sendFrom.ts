import type { Address, Hex } from 'viem'
import type { LocalChain } from './connectLocalChain.ts'

/**
 * Sends a transaction of an account that the local chain holds or impersonates, and waits for its receipt.
 * @throws Error when it reverts
 */
export const sendFrom = async (
  chain: LocalChain,
  from: Address,
  transaction: { to: Address; data?: Hex; value?: bigint; gas?: bigint },
): Promise<void> => {
  const hash = await chain.sendTransaction({ account: from, ...transaction })
  const receipt = await chain.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} to ${transaction.to} reverted`)
}
