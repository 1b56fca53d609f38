import { type Address, erc20Abi, type Hex, maxUint256 } from 'viem'
import { wrappedNativeAbi } from '#shared/chain/wrappedNativeAbi.ts'
import type { OperatorChain } from '../contracts/connectOperator.ts'

/**
 * Lets an account sell an amount: wraps what it lacks of the wrapped native token, and approves the vault relayer once.
 * @param sale.amount sell token atoms
 * @throws Error when it lacks another token, or a transaction fails
 */
export const fundCanary = async (
  chain: OperatorChain,
  sale: { sellToken: Address; wrappedNative: Address; vaultRelayer: Address; amount: bigint },
): Promise<void> => {
  const { sellToken, wrappedNative, vaultRelayer, amount } = sale
  const { address: owner } = chain.account
  const token = { address: sellToken, abi: erc20Abi } as const
  const confirm = async (hash: Hex) => {
    const { status } = await chain.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} of the canary's account reverted`)
  }
  const balance = await chain.readContract({ ...token, functionName: 'balanceOf', args: [owner] })
  if (balance < amount) {
    if (sellToken !== wrappedNative) throw new Error(`${owner} has ${balance} of ${sellToken}, and sells ${amount}`)
    const value = amount - balance
    await confirm(
      await chain.writeContract({ address: wrappedNative, abi: wrappedNativeAbi, functionName: 'deposit', value }),
    )
  }
  const allowance = await chain.readContract({ ...token, functionName: 'allowance', args: [owner, vaultRelayer] })
  if (allowance >= amount) return
  await confirm(await chain.writeContract({ ...token, functionName: 'approve', args: [vaultRelayer, maxUint256] }))
}
