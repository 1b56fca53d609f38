import { z } from 'zod'
import arbitrumOne from './arbitrum_one.json' with { type: 'json' }
import avalanche from './avalanche.json' with { type: 'json' }
import base from './base.json' with { type: 'json' }
import bnb from './bnb.json' with { type: 'json' }
import gnosis from './gnosis.json' with { type: 'json' }
import ink from './ink.json' with { type: 'json' }
import linea from './linea.json' with { type: 'json' }
import { listSegments } from './listSegments.ts'
import mainnet from './mainnet.json' with { type: 'json' }
import { readNetworkEntry } from './networkEntry.ts'
import plasma from './plasma.json' with { type: 'json' }
import polygon from './polygon.json' with { type: 'json' }
import sepolia from './sepolia.json' with { type: 'json' }

const shipped = {
  mainnet,
  bnb,
  gnosis,
  polygon,
  base,
  plasma,
  arbitrum_one: arbitrumOne,
  avalanche,
  ink,
  linea,
  sepolia,
}

type NetworkName = keyof typeof shipped
type Network = ReturnType<typeof readNetworkEntry>

const operatorSchema = z.record(z.string(), z.looseObject({}))

/**
 * The shipped networks with the operator's own ones and changes. Bundles contain the result instead
 * (`tools/workers/bundler/embedNetworks.ts`): reading the networks took a tenth of a Worker's start-up.
 * @param own JSON text of an object by name: a whole entry, or the changed fields of a shipped one
 * @throws Error naming the network and the wrong fields, or two networks with a common segment
 */
export const readNetworks = (own: string): Record<NetworkName, Network> => {
  const changes = operatorSchema.parse(JSON.parse(own))
  const names = new Set([...Object.keys(shipped), ...Object.keys(changes)])
  const read = [...names].map((name) => {
    const entry: object | undefined = shipped[name as NetworkName]
    return readNetworkEntry(name, { name, ...entry, ...changes[name] })
  })
  const bySegment = new Map<string, Network>()
  for (const network of read) {
    for (const segment of listSegments(network)) {
      const other = bySegment.get(segment)
      if (other) throw new Error(`networks ${other.name} and ${network.name} both have ${segment}`)
      bySegment.set(segment, network)
    }
  }
  return Object.fromEntries(read.map((network) => [network.name, network])) as Record<NetworkName, Network>
}
