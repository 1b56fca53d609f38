import type { Address } from 'viem'
import { encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { fundAccounts } from '#tools/stack/chain/fundAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import type { SharedStack } from './useSharedStack.ts'

/**
 * A new account on a running stack, with ether, every token of the stack and the relayer's approvals; no other test
 * uses it. The local chain sends its transactions without its key.
 */
export const createTrader = async ({ chain, info }: SharedStack): Promise<DevAccount> => {
  const privateKey = generatePrivateKey()
  const address = privateKeyToAccount(privateKey).address.toLowerCase() as Address
  await chain.setBalance({ address, value: parseEther('1000') })
  await chain.impersonateAccount({ address })
  await fundAccounts(chain, info.tokens as Parameters<typeof fundAccounts>[1], [address])
  const approve = { abi: erc20Abi, functionName: 'approve', args: [info.contracts.vaultRelayer, maxUint256] } as const
  for (const { address: token } of Object.values(info.tokens))
    await sendFrom(chain, address, { to: token, data: encodeFunctionData(approve) })
  return { address, privateKey }
}
