import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { toHexChainId } from './buildAddedChain.ts'
import type { Connection } from './connection/openConnection.ts'
import { type Abilities, hasAtomicBatches, isContractCode } from './readAbilities.ts'
import { localRdns } from './useLocalAccounts.ts'

/** Some wallets never respond to methods that they do not know. */
const patienceMs = 3_000

const keyOnly: Abilities = { isContract: false, hasBatches: false }

/**
 * How the connected account signs, by its code and the wallet's capabilities (EIP-5792).
 * @returns undefined while unknown; an account of a wallet without a result has a key
 */
export const useAbilities = (
  { chainId }: Pick<Network, 'chainId'>,
  connection: Connection | null,
): Abilities | undefined => {
  const [known, setKnown] = useState<{ subject: string; abilities: Abilities } | null>(null)
  const isAsked = connection?.chainId === chainId && connection.choice.rdns !== localRdns
  const subject = isAsked ? `${chainId} ${connection.address}` : ''
  const provider = connection?.choice.provider
  const address = connection?.address

  useEffect(() => {
    if (subject === '' || !provider || !address) return
    let isCurrent = true
    const chain = toHexChainId(chainId)
    const ask = (method: string, params: unknown[]) =>
      Promise.race([
        provider.request({ method, params }).catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, patienceMs)),
      ])
    Promise.all([ask('eth_getCode', [address, 'latest']), ask('wallet_getCapabilities', [address, [chain]])]).then(
      ([code, capabilities]) => {
        const abilities = { isContract: isContractCode(code), hasBatches: hasAtomicBatches(capabilities, chain) }
        if (isCurrent) setKnown({ subject, abilities })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [subject, provider, address, chainId])

  if (!isAsked) return keyOnly
  return known?.subject === subject ? known.abilities : undefined
}
