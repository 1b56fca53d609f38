import { useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { useOnChange } from '../ui/useOnChange.ts'
import type { Connection } from '../wallet/connection/openConnection.ts'
import type { EthereumProvider } from '../wallet/ethereumProvider.ts'
import { signTypedData } from '../wallet/signTypedData.ts'
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
  /** an open order uses the only permit that the token accepts now, so that it needs a transaction */
  isTaken: boolean
  /** uses approvals by transaction from now on */
  decline: () => void
}

type Known = {
  subject: string
  permit: Permit | null
  isRefused?: boolean
  isTaken?: boolean
  /** declined or refused: not offered again */
  isFinal?: boolean
}

/**
 * Approvals by signature of a token and the connected account.
 * @param token lower case; empty: none
 * @param revision changes when an order of the account is placed, traded or ended
 */
export const usePermit = (
  network: Network,
  connection: Connection | null,
  token: string,
  revision: string,
): PermitSigner => {
  const [known, setKnown] = useState<Known | null>(null)
  const { chainId, vaultRelayer } = network
  const subject = connection?.chainId === chainId ? `${chainId} ${connection.address} ${token}` : ''
  const provider = connection?.choice.provider
  const owner = connection?.address

  // the order that had the permit may have ended
  useOnChange(() => {
    if (subject === '' || !provider || !owner || token === '' || token === nativeSentinel) return
    let isCurrent = true
    const take = (read: Omit<Known, 'subject'>) =>
      isCurrent && setKnown((old) => (old?.subject === subject && old.isFinal ? old : { subject, ...read }))
    // without a result the token is approved by a transaction
    readFreePermit(provider, network, { token, owner }).then(take, () => take({ permit: null }))
    return () => {
      isCurrent = false
    }
  }, [subject, provider, owner, token, network, revision])

  const decline = () => setKnown({ subject, permit: null, isFinal: true })

  const sign = async (value: bigint, deadline: number): Promise<PermitHook> => {
    if (!connection) throw new Error('no account is connected')
    const { provider } = connection.choice
    // another order may have used the nonce since the token was chosen
    const { permit, isTaken } = await readFreePermit(provider, network, { token, owner: connection.address })
    if (!permit) {
      setKnown({ subject, permit, isTaken })
      throw new Error(isTaken ? 'an open order uses the permit' : 'the token takes no permit')
    }
    const terms = { owner: connection.address, spender: vaultRelayer, value, deadline }
    const hook = buildPermitHook(token, terms, await signTypedData(connection, buildPermit(permit, terms)))
    try {
      await provider.request({ method: 'eth_call', params: [{ to: token, data: hook.callData }, 'latest'] })
    } catch {
      setKnown({ subject, permit: null, isRefused: true, isFinal: true })
      throw new Error('the token refused the permit')
    }
    return hook
  }

  const own = known?.subject === subject ? known : null
  const { permit = null, isRefused = false, isTaken = false } = own ?? {}
  return { isOffered: permit !== null, isRefused, isTaken, sign, decline }
}

/** The next permit of a token, unless an open order of the owner has it already. */
const readFreePermit = async (
  provider: EthereumProvider,
  { name, chainId }: Network,
  { token, owner }: { token: string; owner: string },
): Promise<{ permit: Permit | null; isTaken: boolean }> => {
  const permit = await readPermit(provider, { token, owner, chainId })
  if (permit === null) return { permit, isTaken: false }
  const { loadPendingPermit } = await import('./loadPendingPermit.ts')
  const isTaken = (await loadPendingPermit(name, { token, owner })) !== null
  return { permit: isTaken ? null : permit, isTaken }
}
