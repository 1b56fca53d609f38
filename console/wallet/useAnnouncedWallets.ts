import { useEffect, useState } from 'preact/hooks'
import type { WalletChoice } from './ethereumProvider.ts'
import { readAnnouncement } from './readAnnouncement.ts'

const maxWallets = 20

/** Wallets announced in this browser (EIP-6963), the first of each kind. */
export const useAnnouncedWallets = (): WalletChoice[] => {
  const [wallets, setWallets] = useState<WalletChoice[]>([])
  useEffect(() => {
    const add = (event: Event) => {
      const wallet = readAnnouncement((event as CustomEvent<unknown>).detail)
      if (!wallet) return
      setWallets((known) =>
        known.length >= maxWallets || known.some(({ rdns }) => rdns === wallet.rdns) ? known : [...known, wallet],
      )
    }
    window.addEventListener('eip6963:announceProvider', add)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    return () => window.removeEventListener('eip6963:announceProvider', add)
  }, [])
  return wallets
}
