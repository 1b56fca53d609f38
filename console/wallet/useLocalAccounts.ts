import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { createLocalProvider } from './createLocalProvider.ts'
import type { WalletChoice } from './ethereumProvider.ts'
import { readAccounts } from './readAccounts.ts'

const maxAccounts = 4
/** In place of the name of an announced wallet. */
export const localRdns = 'local'

/** The first funded accounts of a local stack; empty elsewhere. */
export const useLocalAccounts = ({ localWallet }: Network): WalletChoice[] => {
  const [accounts, setAccounts] = useState<WalletChoice[]>([])
  useEffect(() => {
    if (localWallet === null) return setAccounts([])
    let isShown = true
    const provider = createLocalProvider(localWallet)
    const toChoice = (address: string, index: number): WalletChoice => ({
      rdns: localRdns,
      name: `Local account ${index}`,
      icon: null,
      address,
      provider,
    })
    provider.request({ method: 'eth_accounts' }).then(
      (found) => isShown && setAccounts(readAccounts(found).slice(0, maxAccounts).map(toChoice)),
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [localWallet])
  return accounts
}
