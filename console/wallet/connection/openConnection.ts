import type { WalletChoice } from '../ethereumProvider.ts'
import { readAccounts } from '../readAccounts.ts'

/** An account that can sign. */
export type Connection = {
  choice: WalletChoice
  /** lower case */
  address: string
  /** of the wallet's network */
  chainId: number
}

/**
 * Account of a choice and its network.
 * @param method `eth_accounts` shows no prompt; local accounts use it too, since they have none
 */
export const openConnection = async (
  choice: WalletChoice,
  method: 'eth_accounts' | 'eth_requestAccounts',
  wanted: string | null,
): Promise<Connection | undefined> => {
  const { provider } = choice
  const accounts = readAccounts(await provider.request({ method: choice.address === null ? method : 'eth_accounts' }))
  const address = choice.address ?? accounts.find((account) => account === wanted) ?? accounts[0]
  if (address === undefined) return undefined
  return { choice, address, chainId: Number(await provider.request({ method: 'eth_chainId' })) }
}
