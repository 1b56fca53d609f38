import { useEffect, useState } from 'preact/hooks'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import type { NetworkName } from './NetworksProvider.tsx'

type Names = ReadonlyMap<string, string>

const known = new Map<NetworkName, Promise<Names>>()

/** Loaded once; solvers change only with a release. */
const findNames = (network: NetworkName): Promise<Names> => {
  const found = known.get(network) ?? loadNames(network)
  known.set(network, found)
  return found
}

const loadNames = async (network: NetworkName): Promise<Names> => {
  try {
    const { solvers } = await read(client.GET('/{network}/status.json', { params: { path: { network } } }))
    return new Map(solvers.flatMap(({ address, name }): [string, string][] => (name === null ? [] : [[address, name]])))
  } catch {
    // without names, addresses are shown
    known.delete(network)
    return new Map()
  }
}

/** Names of a network's solvers by address; undefined until loaded, empty when they cannot be loaded. */
export const useSolverNames = (network: NetworkName): Names | undefined => {
  const [names, setNames] = useState<Names>()
  useEffect(() => {
    let isShown = true
    void findNames(network).then((found) => isShown && setNames(found))
    return () => {
      isShown = false
    }
  }, [network])
  return names
}
