import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { toHexChainId } from './buildAddedChain.ts'
import type { Connection } from './connection/openConnection.ts'
import type { Abilities } from './readAbilities.ts'
import { localRdns } from './useLocalAccounts.ts'
import { watchAbilities } from './watchAbilities.ts'

const keyOnly: Abilities = { isContract: false, hasBatches: false }

/**
 * Signing abilities of the connected account, by its code and the wallet's capabilities (EIP-5792).
 * @returns undefined while unknown; without a response of the wallet the account has a key, until a late response
 */
export const useAbilities = (
  { chainId }: Pick<Network, 'chainId'>,
  connection: Connection | null,
): Abilities | undefined => {
  const [known, setKnown] = useState<{ subject: string; abilities: Abilities } | null>(null)
  const isWatched = connection?.chainId === chainId && connection.choice.rdns !== localRdns
  const subject = isWatched ? `${chainId} ${connection.address}` : ''
  const provider = connection?.choice.provider
  const address = connection?.address

  useEffect(() => {
    if (subject === '' || !provider || !address) return
    return watchAbilities(provider, { address, chain: toHexChainId(chainId) }, (abilities) =>
      setKnown({ subject, abilities }),
    )
  }, [subject, provider, address, chainId])

  if (!isWatched) return keyOnly
  return known?.subject === subject ? known.abilities : undefined
}
