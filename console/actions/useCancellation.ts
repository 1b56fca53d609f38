import { useState } from 'preact/hooks'
import { type ApiFailure, asFailure, toApiFailure } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { useAttempts } from '../ui/useAttempts.ts'
import type { Connection } from '../wallet/connection/openConnection.ts'
import { describeWalletFailure } from '../wallet/describeWalletFailure.ts'
import { signTypedData } from '../wallet/signTypedData.ts'
import { buildCancellation } from './buildCancellation.ts'
import { type InFlight, readInFlight } from './readInFlight.ts'

export type CancellationState =
  | { phase: 'idle' | 'signing' | 'sending' }
  | { phase: 'unsigned'; why: string }
  | { phase: 'refused'; failure: ApiFailure }
  /** `inFlight`: a solver may still settle it */
  | { phase: 'cancelled'; inFlight: InFlight | null }

/** Cancels orders off-chain with one signature of their owner. @param uids at most 128 */
export const useCancellation = (network: Network, uids: readonly string[], connection: Connection | null) => {
  const [state, setState] = useState<CancellationState>({ phase: 'idle' })
  const attempts = useAttempts()

  const cancel = async (): Promise<void> => {
    if (!connection) return
    const isCurrent = attempts.begin()
    setState({ phase: 'signing' })
    try {
      const signature = await signTypedData(connection, buildCancellation(network, uids))
      if (!isCurrent()) return
      setState({ phase: 'sending' })
      setState(await send(network, uids, signature))
    } catch (thrown) {
      if (isCurrent()) setState({ phase: 'unsigned', why: describeWalletFailure(thrown) })
    }
  }

  const stop = (): void => {
    attempts.end()
    setState({ phase: 'idle' })
  }

  return { state, cancel, stop }
}

const send = async (network: Network, uids: readonly string[], signature: string): Promise<CancellationState> => {
  try {
    const { data, error, response } = await client.DELETE('/{network}/api/v1/orders', {
      params: { path: { network: network.name } },
      body: { orderUids: [...uids], signature, signingScheme: 'eip712' },
    })
    if (data === undefined) throw toApiFailure(error, response)
    return { phase: 'cancelled', inFlight: readInFlight(response.headers.get('X-Order-In-Flight')) }
  } catch (thrown) {
    return { phase: 'refused', failure: asFailure(thrown) }
  }
}
