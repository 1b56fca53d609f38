import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Connection } from '../../wallet/connection/openConnection.ts'
import { readSafeSetUp, type SafeSetUp } from './safeSetUp.ts'

/**
 * How the connected Safe, or an account that delegates, checks signatures, read again with each `round`.
 * @returns undefined until known; null: another account, or its wallet cannot read it
 */
export const useSafeSetUp = (
  network: Network,
  connection: Connection | null,
  round: number,
): SafeSetUp | null | undefined => {
  const isRead = connection?.chainId === network.chainId
  const subject = isRead ? `${network.chainId} ${connection.address} ${round}` : ''
  const [known, setKnown] = useState<{ subject: string; setUp: SafeSetUp | null } | null>(null)
  const provider = connection?.choice.provider
  const address = connection?.address

  useEffect(() => {
    if (subject === '' || !provider || !address) return
    let isCurrent = true
    const take = (setUp: SafeSetUp | null) => isCurrent && setKnown({ subject, setUp })
    readSafeSetUp(provider, network, address).then(take, () => take(null))
    return () => {
      isCurrent = false
    }
  }, [subject, provider, address, network])

  return known?.subject === subject ? known.setUp : undefined
}
