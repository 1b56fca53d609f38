import { useEffect, useState } from 'preact/hooks'
import { type AnyStatus, computeAlarms } from '../../../shared/alarms/computeAlarms.ts'
import type { components } from '../../api/openapi.d.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { addSample, type Sample, updateSince } from './statusHistory.ts'

export type Status = components['schemas']['Status']

export type NetworkHistory = {
  samples: Sample[]
  /** Unix seconds at which the page first saw each alarm, by its key */
  since: Record<string, number>
}

const empty: NetworkHistory = { samples: [], since: {} }

/** A missing entry is a network without a known state. */
export const statusOf = (status: Status, { name }: Pick<Network, 'name'>): AnyStatus =>
  status.networks[name] ?? { state: 'unavailable' }

/** Unix seconds of a status. */
export const timeOf = ({ time }: Status): number => Date.parse(time) / 1_000

/** Samples of each network, stored only while the page is open. */
export const useStatusHistory = (
  status: Status | undefined,
  networks: readonly Network[],
): ((network: Network) => NetworkHistory) => {
  const [histories, setHistories] = useState<Record<string, NetworkHistory>>({})
  useEffect(() => {
    if (!status) return
    const time = timeOf(status)
    const advance = (network: Network, { samples, since }: NetworkHistory): NetworkHistory => {
      const current = statusOf(status, network)
      const crossed = computeAlarms(current, network).map(({ key }) => key)
      return { samples: addSample(samples, current, time), since: updateSince(since, crossed, time) }
    }
    setHistories((last) =>
      Object.fromEntries(networks.map((network) => [network.name, advance(network, last[network.name] ?? empty)])),
    )
  }, [status, networks])
  return ({ name }) => histories[name] ?? empty
}
