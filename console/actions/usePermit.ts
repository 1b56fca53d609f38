import { useState } from 'preact/hooks'
import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { Connection } from '../wallet/connection/openConnection.ts'
import { signTypedData } from '../wallet/signTypedData.ts'
import { findPendingPermit } from './findPendingPermit.ts'
import { buildPermitHook, type PermitHook } from './permit.ts'
import { findPermit } from './readFunding.ts'

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

type Facts = {
  /** sell token, lower case; empty: none */
  token: string
  /** of the newest quote; null: none yet */
  funding: components['schemas']['Funding'] | null
  /** newest orders of the account */
  orders: Parameters<typeof findPendingPermit>[0]
}

/** Approvals by signature of a token and the connected account. */
export const usePermit = (
  network: Network,
  connection: Connection | null,
  { token, funding, orders }: Facts,
): PermitSigner => {
  /** what is not offered again */
  const [ended, setEnded] = useState({ subject: '', isRefused: false })
  const owner = connection?.address ?? ''
  const subject = `${network.chainId} ${owner} ${token}`
  const isEnded = ended.subject === subject
  const permit = isEnded ? null : findPermit(funding, { token, owner, network })
  const isTaken = permit !== null && findPendingPermit(orders, { token, owner }) !== null

  const sign = async (value: bigint, deadline: number): Promise<PermitHook> => {
    if (!connection || !permit || isTaken) throw new Error('the token takes no permit now')
    const message = { ...permit.message, value: value.toString(), deadline: deadline.toString() }
    const signature = await signTypedData(connection, { ...permit, message })
    const hook = buildPermitHook(token, { owner, spender: network.vaultRelayer, value, deadline }, signature)
    try {
      const call = { to: token, data: hook.callData }
      await connection.choice.provider.request({ method: 'eth_call', params: [call, 'latest'] })
    } catch {
      setEnded({ subject, isRefused: true })
      throw new Error('the token refused the permit')
    }
    return hook
  }

  return {
    isOffered: permit !== null && !isTaken,
    isRefused: isEnded && ended.isRefused,
    isTaken,
    sign,
    decline: () => setEnded({ subject, isRefused: false }),
  }
}
