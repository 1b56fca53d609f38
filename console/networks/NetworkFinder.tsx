import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type ApiFailure, asFailure } from '../api/ApiFailure.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { Failure } from '../ui/Failure.tsx'
import type { Network, NetworkName } from './NetworksProvider.tsx'

type Props = {
  networks: readonly Network[]
  /** what is looked for: `order 0x…` */
  what: string
  /** rejects where it is not */
  ask: (network: NetworkName, signal: AbortSignal) => Promise<unknown>
  toPath: (network: NetworkName) => string
  /** another network has been asked, and said what is wrong */
  isSecondLook?: boolean
}

type Found = { network: Network; failure: ApiFailure | null }

/**
 * Asks each network for something whose link names none, and goes to the one that has it; if several have, the user says
 * which.
 */
export const NetworkFinder = ({ networks, what, ask, toPath, isSecondLook = false }: Props) => {
  const { route } = useLocation()
  const names = networks.map(({ name }) => name).join()
  const { data, reload } = useAnswer(`where ${what} ${names}`, (signal) =>
    Promise.all(networks.map((network) => askOne(network, ask, signal))),
  )
  const having = data?.filter(({ failure }) => failure === null) ?? []
  const [only] = having
  const target = having.length === 1 && only ? toPath(only.network.name) : undefined
  useEffect(() => {
    if (target !== undefined) route(target, true)
  }, [target, route])

  if (!data || target !== undefined) return <p class="loading">Looking on every network …</p>
  if (having.length > 1) return <Choice networks={having.map(({ network }) => network)} toPath={toPath} />
  const failure = findTelling(data)
  const labels = networks.map(({ label }) => label).join(', ')
  if (isSecondLook && failure?.facts.status === 404) return <p class="muted">Nor is it known on {labels}.</p>
  return (
    <>
      {failure && <Failure failure={failure} retry={reload} />}
      {networks.length > 1 && <p class="muted">Looked on {labels}.</p>}
    </>
  )
}

const askOne = (network: Network, ask: Props['ask'], signal: AbortSignal): Promise<Found> =>
  ask(network.name, signal).then(
    () => ({ network, failure: null }),
    (thrown: unknown) => ({ network, failure: asFailure(thrown) }),
  )

/** That a network could not be asked says more than that another one does not have it. */
const findTelling = (found: readonly Found[]): ApiFailure | null =>
  (found.find(({ failure }) => failure?.facts.status !== 404) ?? found[0])?.failure ?? null

const Choice = ({ networks, toPath }: { networks: Network[]; toPath: Props['toPath'] }) => (
  <div class="panel">
    <h2>On which network?</h2>
    <ul>
      {networks.map(({ name, label }) => (
        <li key={name}>
          <a href={toPath(name)}>{label}</a>
        </li>
      ))}
    </ul>
  </div>
)
