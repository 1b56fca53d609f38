import { useEffect, useState } from 'preact/hooks'
import { asFailure } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { useAttempts } from '../../ui/useAttempts.ts'
import { useOnChange } from '../../ui/useOnChange.ts'
import type { Connection } from '../../wallet/connection/openConnection.ts'
import { requestCalls } from '../signing/requestCalls.ts'
import { uploadAppData } from '../signing/uploadAppData.ts'
import type { NewTwap } from './buildTwap.ts'
import type { buildTwapCalls } from './buildTwapCalls.ts'
import { checkDryRun } from './checkDryRun.ts'

export type CreationState =
  | { phase: 'idle' | 'checking' | 'confirming' }
  /** confirmed in the wallet; the order book sees it once its transaction is included */
  | { phase: 'indexing' }
  | { phase: 'failed'; why: string }

type Deps = {
  network: Network
  connection: Connection | null
  /** changes with the terms; an error of other terms is hidden */
  subject: string
  hasBatches: boolean
  onCreated: () => void
}

const lookEveryMs = 1_500

/** Creates a TWAP: a dry run by the order book, one confirmation of the wallet, and the wait for its event. */
export const useTwapCreation = ({ network, connection, subject, hasBatches, onCreated }: Deps) => {
  const [state, setState] = useState<CreationState>({ phase: 'idle' })
  const attempts = useAttempts()
  useEffect(() => attempts.end, [attempts])

  const stop = (): void => {
    attempts.end()
    setState({ phase: 'idle' })
  }

  useOnChange(() => {
    if (state.phase === 'failed') stop()
  }, [subject])

  const create = async (twap: NewTwap, calls: ReturnType<typeof buildTwapCalls>): Promise<void> => {
    if (!connection) return
    const isCurrent = attempts.begin()
    const owner = connection.address
    setState({ phase: 'checking' })
    const refusal = await findRefusal(network, owner, twap)
    if (!isCurrent()) return
    if (refusal !== null) return setState({ phase: 'failed', why: refusal })
    setState({ phase: 'confirming' })
    const onFailure = (why: string) => isCurrent() && setState({ phase: 'failed', why })
    const why = await requestCalls(connection, calls, hasBatches, (failed) => {
      onFailure(failed)
      attempts.end()
    })
    if (!isCurrent()) return
    if (why !== null) return setState({ phase: 'failed', why })
    setState({ phase: 'indexing' })
    while (isCurrent() && !(await isIndexed(network, owner, twap.hash)))
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    if (!isCurrent()) return
    setState({ phase: 'idle' })
    onCreated()
  }

  return { state, create, stop }
}

/** Why the TWAP must not be created; null when its dry run places the displayed part. */
const findRefusal = async (network: Network, owner: string, twap: NewTwap): Promise<string | null> => {
  try {
    const [dryRun] = await Promise.all([
      read(
        client.POST('/{network}/api/v1/conditional_orders/dry_run', {
          params: { path: { network: network.name } },
          body: { owner, ...twap.params },
        }),
      ),
      uploadAppData(network),
    ])
    return checkDryRun(twap, dryRun.outcome)
  } catch (thrown) {
    return `Nothing was signed: ${asFailure(thrown).message}`
  }
}

/** Whether the order book has seen the event. A failed look is repeated. */
const isIndexed = ({ name }: Network, owner: string, hash: string): Promise<boolean> =>
  read(
    client.GET('/{network}/api/v1/conditional_orders', { params: { path: { network: name }, query: { owner } } }),
  ).then(
    (newest) => newest.some((order) => order.hash === hash),
    () => false,
  )
