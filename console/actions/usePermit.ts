import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { signTypedData } from '../wallet/signTypedData.ts'
import type { Connection } from '../wallet/WalletProvider.tsx'
import { buildPermit, buildPermitHook, type Permit, type PermitHook } from './permit.ts'

/** Loaded with the first token of a connected account. */
const readPermit = async (...args: Parameters<typeof import('./readPermit.ts').readPermit>): Promise<Permit | null> =>
  (await import('./readPermit.ts')).readPermit(...args)

export type PermitSigner = {
  /** the token takes permits, and refused none on this page */
  isOffered: boolean
  /**
   * Signs an approval of the vault relayer by the connected account.
   * @param deadline last valid second, Unix
   * @throws errors of the wallet; Error when the token refuses the permit, which is not offered again
   */
  sign: (value: bigint, deadline: number) => Promise<PermitHook>
  /** the token refused a permit, so that it needs a transaction */
  isRefused: boolean
  /** uses approvals by transaction from now on */
  decline: () => void
}

type Known = { subject: string; permit: Permit | null; isRefused?: boolean }

/** Approvals by signature of a token and the connected account. @param token lower case; empty: none */
export const usePermit = (network: Network, connection: Connection | null, token: string): PermitSigner => {
  const [known, setKnown] = useState<Known | null>(null)
  const { chainId, vaultRelayer } = network
  const subject = connection?.chainId === chainId ? `${chainId} ${connection.address} ${token}` : ''
  const provider = connection?.choice.provider
  const owner = connection?.address

  useEffect(() => {
    if (subject === '' || !provider || !owner || token === '' || token === nativeSentinel) return
    let isCurrent = true
    const take = (permit: Permit | null) => isCurrent && setKnown({ subject, permit })
    // without a result the token is approved by a transaction
    readPermit(provider, { token, owner, chainId }).then(take, () => take(null))
    return () => {
      isCurrent = false
    }
  }, [subject, provider, owner, token, chainId])

  const decline = () => setKnown({ subject, permit: null })

  const sign = async (value: bigint, deadline: number): Promise<PermitHook> => {
    if (!connection) throw new Error('no account is connected')
    const { provider } = connection.choice
    // another order may have used the nonce since the token was chosen
    const permit = await readPermit(provider, { token, owner: connection.address, chainId })
    if (!permit) throw new Error('the token takes no permit')
    const terms = { owner: connection.address, spender: vaultRelayer, value, deadline }
    const hook = buildPermitHook(token, terms, await signTypedData(connection, buildPermit(permit, terms)))
    try {
      await provider.request({ method: 'eth_call', params: [{ to: token, data: hook.callData }, 'latest'] })
    } catch {
      setKnown({ subject, permit: null, isRefused: true })
      throw new Error('the token refused the permit')
    }
    return hook
  }

  const own = known?.subject === subject ? known : null
  return { isOffered: own !== null && own.permit !== null, isRefused: own?.isRefused === true, sign, decline }
}
