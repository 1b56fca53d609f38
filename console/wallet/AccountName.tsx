import { useEffect, useState } from 'preact/hooks'
import type { Address } from 'viem'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { EthereumProvider } from './ethereumProvider.ts'
import { hasNames } from './names/nameRules.ts'
import { useWallet } from './WalletProvider.tsx'

type Props = { network: Pick<Network, 'chainId'>; address: string }

/** The primary ENS name of an account beside its address, read by the connected wallet; nothing without one. */
export const AccountName = ({ network: { chainId }, address }: Props) => {
  const { connection } = useWallet()
  const provider = hasNames(chainId) && connection?.chainId === chainId ? connection.choice.provider : undefined
  const [known, setKnown] = useState<{ subject: string; name: string | null } | null>(null)
  const subject = `${chainId} ${address}`
  useEffect(() => {
    if (!provider) return
    let isCurrent = true
    void findName(provider, subject, address as Address).then((name) => isCurrent && setKnown({ subject, name }))
    return () => {
      isCurrent = false
    }
  }, [provider, subject, address])
  const name = provider && known?.subject === subject ? known.name : null
  return name === null ? null : (
    <span class="account-name" title={name}>
      {name}
    </span>
  )
}

/** Names that this page has looked up, by chain and address: each once per wallet. */
const names = new WeakMap<EthereumProvider, Map<string, Promise<string | null>>>()

/** A name that cannot be read now is shown as none. */
const findName = (provider: EthereumProvider, subject: string, address: Address): Promise<string | null> => {
  const known = names.get(provider) ?? new Map<string, Promise<string | null>>()
  names.set(provider, known)
  const found =
    known.get(subject) ??
    // large tables of letters, loaded beside the page
    import('./names/findPrimaryName.ts')
      .then(({ findPrimaryName }) => findPrimaryName(provider, address))
      .catch(() => null)
  known.set(subject, found)
  return found
}
