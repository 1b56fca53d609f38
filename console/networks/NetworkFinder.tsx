import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type ApiFailure, asFailure } from '../api/ApiFailure.ts'
import { useRequest } from '../api/useRequest.ts'
import { Failure } from '../ui/Failure.tsx'
import { NetworkChoice } from './NetworkChoice.tsx'
import type { Network, NetworkName } from './NetworksProvider.tsx'

type Props = {
  networks: readonly Network[]
  /** for the page's text: `order 0x…` */
  what: string
  /** rejects when the network does not have it */
  load: (network: NetworkName, signal: AbortSignal) => Promise<unknown>
  toPath: (network: NetworkName) => string
  /** instead of the error when no network has it */
  renderMissing?: (retry: () => void) => ComponentChildren
}

type Found = { network: Network; failure: ApiFailure | null }

/**
 * Searches every network for the target of a link without a network and opens the one that has it; if several do, the
 * user chooses.
 */
export const NetworkFinder = ({ networks, what, load, toPath, renderMissing }: Props) => {
  const { route } = useLocation()
  const names = networks.map(({ name }) => name).join()
  const { data, reload } = useRequest(`where ${what} ${names}`, (signal) =>
    Promise.all(networks.map((network) => loadOne(network, load, signal))),
  )
  const having = data?.filter(({ failure }) => failure === null) ?? []
  const [only] = having
  const target = having.length === 1 && only ? toPath(only.network.name) : undefined
  useEffect(() => {
    if (target !== undefined) route(target, true)
  }, [target, route])

  if (!data || target !== undefined) return <p class="loading">Searching all networks …</p>
  if (having.length > 1) return <NetworkChoice networks={having.map(({ network }) => network)} toPath={toPath} />
  const failure = findTelling(data)
  const labels = networks.map(({ label }) => label).join(', ')
  if (renderMissing && failure?.facts.status === 404) return renderMissing(reload)
  return (
    <>
      {failure && <Failure failure={failure} retry={reload} />}
      {networks.length > 1 && <p class="muted">Looked on {labels}.</p>}
    </>
  )
}

const loadOne = (network: Network, load: Props['load'], signal: AbortSignal): Promise<Found> =>
  load(network.name, signal).then(
    () => ({ network, failure: null }),
    (thrown: unknown) => ({ network, failure: asFailure(thrown) }),
  )

/** An unreachable network is reported before networks without the target. */
const findTelling = (found: readonly Found[]): ApiFailure | null =>
  (found.find(({ failure }) => failure?.facts.status !== 404) ?? found[0])?.failure ?? null
