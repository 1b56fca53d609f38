import type { Address, Hex } from 'viem'
import type { LocalChain } from './connectLocalChain.ts'
import { waitForReceipt } from './waitForReceipt.ts'

/** above the estimate: a pool writes its price accumulators in another second than its last update, for 45,000 gas */
const spareGas = 50_000n

/**
 * Sends a transaction of an account that the local chain holds or impersonates, and waits for its receipt.
 * @throws Error when it reverts
 */
export const sendFrom = async (
  chain: LocalChain,
  from: Address,
  transaction: { to: Address; data?: Hex; value?: bigint; gas?: bigint },
): Promise<void> => {
  const call = { account: from, ...transaction }
  const gas = call.gas ?? (await chain.estimateGas(call)) + spareGas
  const hash = await chain.sendTransaction({ ...call, gas })
  const receipt = await waitForReceipt(chain, hash)
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} to ${transaction.to} reverted`)
}
