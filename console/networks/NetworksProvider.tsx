import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { client } from '../api/client.ts'
import type { paths } from '../api/openapi.d.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { Failure } from '../ui/Failure.tsx'

type Index = paths['/']['get']['responses'][200]['content']['application/json']

/** A network of this deployment, from `GET /`. */
export type Network = Index['networks'][number]

export type NetworkName = Network['name']

const NetworksContext = createContext<Network[]>([])

type Props = { children: ComponentChildren; loading: ComponentChildren }

/** Provides the networks of this deployment; shows `loading` before they arrive, and a failure without them. */
export const NetworksProvider = ({ children, loading }: Props) => {
  const { data, failure, reload } = useRequest('networks', async () => {
    const { networks } = await read(client.GET('/', { headers: { Accept: 'application/json' } }))
    return networks
  })
  if (data?.[0]) return <NetworksContext.Provider value={data}>{children}</NetworksContext.Provider>
  if (failure) return <Failure failure={failure} retry={reload} />
  return loading
}

/** The networks of this deployment. */
export const useNetworks = (): Network[] => useContext(NetworksContext)

/** The network of the URL (`?network=`), else the first one. */
export const useNetwork = (): Network => {
  const networks = useNetworks()
  const { query } = useLocation()
  const found = networks.find(({ name }) => name === query.network) ?? networks[0]
  if (!found) throw new Error('outside NetworksProvider')
  return found
}
