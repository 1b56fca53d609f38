import type { Address } from 'viem'
import { encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { fundAccounts } from '#tools/stack/chain/fundAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import type { Stack } from '#tools/stack/startStack.ts'

type RunningStack = Pick<Stack, 'chain' | 'info'>

/**
 * A new account with ether and no tokens, which no other test uses. The local chain sends its transactions without its key.
 */
export const createTokenlessAccount = async ({ chain }: Pick<RunningStack, 'chain'>): Promise<DevAccount> => {
  const privateKey = generatePrivateKey()
  const address = privateKeyToAccount(privateKey).address.toLowerCase() as Address
  await chain.setBalance({ address, value: parseEther('1000') })
  await chain.impersonateAccount({ address })
  return { address, privateKey }
}

/** Such accounts with every token of the stack. */
export const createAccounts = async (stack: RunningStack, count: number): Promise<DevAccount[]> => {
  const { chain, info } = stack
  const accounts: DevAccount[] = []
  // One after the other: the local chain gives transactions that arrive together the same nonce.
  for (let i = 0; i < count; i += 1) {
    const account = await createTokenlessAccount(stack)
    await fundAccounts(chain, info.tokens as Parameters<typeof fundAccounts>[1], [account.address])
    accounts.push(account)
  }
  return accounts
}

/** One such account with approvals of the relayer for every token. */
export const createTrader = async (stack: RunningStack): Promise<DevAccount> => {
  const { chain, info } = stack
  const [trader] = await createAccounts(stack, 1)
  if (!trader) throw new Error('no account')
  const approve = { abi: erc20Abi, functionName: 'approve', args: [info.contracts.vaultRelayer, maxUint256] } as const
  for (const { address: token } of Object.values(info.tokens))
    await sendFrom(chain, trader.address, { to: token, data: encodeFunctionData(approve) })
  return trader
}
