import { isLoopback } from '#schema/neon/connectNeon.ts'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import type { NetworkName } from '#shared/networks.ts'
import { type DoctorFinding, limited, wrong } from './finding.ts'

/** Where the Workers run: on Cloudflare, or on this machine; undefined: not known. */
export type Place = 'cloudflare' | 'here' | undefined

/** A finding about what `npm run serve` alone can use. */
export const onlyHere = (place: Place, name: string, detail: string, remedy: string): DoctorFinding =>
  (place === 'cloudflare' ? wrong : limited)(name, `${detail}: npm run serve alone can use it`, remedy)

/** Whether the Workers reach the addresses of the settings, and visitors' wallets the network. */
export const checkReach = (
  network: NetworkName,
  settings: Readonly<Record<string, string>>,
  place: Place,
): DoctorFinding[] => {
  const addresses = ['RPC_URL', 'MAINNET_RPC_URL', 'PUBLIC_URL', 'SOLVERS']
  const local = addresses.filter((name) => findUrls(settings[name] ?? '').some(isLoopback))
  const isShipped = network in readNetworks('{}')
  const hasPublicNode = settings.PUBLIC_RPC_URLS?.includes(`"${network}"`) ?? false
  return [
    ...(place === 'here'
      ? []
      : local.map((name) =>
          onlyHere(place, `setting ${name}`, 'an address of this machine', 'set one that Cloudflare reaches'),
        )),
    ...(isShipped || hasPublicNode
      ? []
      : [
          limited(
            'setting PUBLIC_RPC_URLS',
            `no node of ${network}: wallets that lack the network cannot add it`,
            `set it to {"${network}":"https://…"}, a node without a key`,
          ),
        ]),
  ]
}

const findUrls = (text: string): string[] => text.match(/https?:\/\/[^\s",]+/g) ?? []
