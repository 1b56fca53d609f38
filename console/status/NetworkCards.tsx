import { type AnyStatus, computeAlarms } from '../../shared/alarms/computeAlarms.ts'
import { formatCount, formatOr } from '../../shared/alarms/formatFigure.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { Chip } from '../ui/elements/Chip.tsx'
import type { Freshness } from './history/computeFreshness.ts'
import { type Status, statusOf } from './history/useStatusHistory.ts'

type Props = { networks: readonly Network[]; selected: Network; status: Status; freshness: Freshness }

/** Summary of every network with a link to its figures. */
export const NetworkCards = ({ networks, selected, status, freshness }: Props) => (
  <ul class="network-cards">
    {networks.map((network) => {
      const own = statusOf(status, network)
      const count = computeAlarms(own, network).length
      return (
        <li key={network.name}>
          <a
            class={count > 0 && freshness === 'current' ? 'card alarm' : 'card'}
            href={paths.status(network.name)}
            aria-current={network.name === selected.name ? 'true' : undefined}
          >
            <span class="name">{network.label}</span>
            {freshness === 'current' ? (
              <Verdict status={own} count={count} />
            ) : (
              <Chip tone="ended">{freshness === 'stale' ? 'Stale' : 'Offline'}</Chip>
            )}
            <span class="fine">{describe(own)}</span>
          </a>
        </li>
      )
    })}
  </ul>
)

const Verdict = ({ status, count }: { status: AnyStatus; count: number }) => {
  if (status.state === 'unavailable') return <Chip tone="error">alarm: unavailable</Chip>
  if (count > 0) return <Chip tone="error">{count === 1 ? '1 alarm' : `${count} alarms`}</Chip>
  return <Chip tone="ok">Operational</Chip>
}

const describe = (status: AnyStatus): string => {
  if (status.state === 'unavailable') return 'no figures'
  const { auctions, indexer } = status
  const block = formatOr(indexer.block, formatCount, 'none')
  return `block ${block} · ${formatCount(auctions.openOrders)} open orders · ${formatCount(auctions.fillsLastHour)} fills in an hour`
}
