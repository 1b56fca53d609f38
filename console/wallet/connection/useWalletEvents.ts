import { useLayoutEffect } from 'preact/hooks'
import { writeLastWallet } from '../lastWallet.ts'
import { readAccounts } from '../readAccounts.ts'
import type { Connection } from './openConnection.ts'

/** Follows changes that the user makes in the wallet. */
export const useWalletEvents = (
  connection: Connection | null,
  update: (change: (current: Connection | null) => Connection | null) => void,
): void => {
  const choice = connection?.choice
  // an effect after the next frame would miss changes until then
  useLayoutEffect(() => {
    const provider = choice?.provider
    if (!provider?.on || choice?.address !== null) return
    const takeAccounts = (accounts: unknown) => {
      const address = readAccounts(accounts)[0]
      update((current) => (current && address ? { ...current, address } : null))
      writeLastWallet(address ? { rdns: choice.rdns, address } : undefined)
    }
    const takeChain = (chainId: unknown) => update((current) => current && { ...current, chainId: Number(chainId) })
    provider.on('accountsChanged', takeAccounts)
    provider.on('chainChanged', takeChain)
    return () => {
      provider.removeListener?.('accountsChanged', takeAccounts)
      provider.removeListener?.('chainChanged', takeChain)
    }
  }, [choice, update])
}
